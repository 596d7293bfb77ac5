import { UsageError } from "../../platform/index.js";
import type { EmulatorOptions } from "../options.js";
import type { StateChange } from "../state/change.js";
import { syntheticExperiment, syntheticJobOf } from "./synthetic.js";
import { caseChanges, readCaseFile } from "./case-file.js";
import { projectDefinition } from "./definition.js";
import { foundation, sampleChanges } from "./sample.js";

/** The initial state as changes: the project, the sample and case files. @throws UsageError. */
export async function initialChanges({
  sample,
  load = [],
  syntheticRatings: ratings,
}: Pick<EmulatorOptions, "sample" | "load" | "syntheticRatings">): Promise<StateChange[]> {
  const definition = await projectDefinition();
  const changes = (sample ?? load.length === 0) ? await sampleChanges() : foundation(definition);
  const seen = new Set(changes.flatMap((change) => (change.set === "experiment" ? [change.value.id] : [])));
  const [first] = definition.pools;
  if (first === undefined) throw new RangeError("data/sample: no rater pools");
  const { id, kind, name, label } = first;
  for (const path of load) {
    const file = await readCaseFile(path);
    const { id: experiment } = file.experiment;
    if (seen.has(experiment))
      throw new UsageError(
        `${path}: experiment.id ${JSON.stringify(experiment)} is already served; give each case file a different one.`,
      );
    seen.add(experiment);
    changes.push(...caseChanges(file, definition.project.id, { id, kind, name, label }));
  }
  if (ratings !== undefined) {
    const project = definition.project.id;
    const value = syntheticExperiment(ratings);
    changes.push({ set: "experiment", project, value, synthetic: { ratings } });
    changes.push({ set: "job", project, value: syntheticJobOf(value, { id, kind, name, label }) });
  }
  return changes;
}
