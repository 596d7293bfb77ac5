import { UsageError } from "../../errors.js";
import type { ServiceOptions } from "../options.js";
import type { Change } from "../state/change.js";
import { caseChanges, readCaseFile } from "./case-file.js";
import { projectDefinition } from "./definition.js";
import { foundation, sampleChanges } from "./sample.js";

/** What a service starts with: the foundation, the sample where asked, and case files. @throws UsageError. */
export async function initialChanges({ sample, load = [] }: Pick<ServiceOptions, "sample" | "load">): Promise<Change[]> {
  const definition = await projectDefinition();
  const changes = (sample ?? load.length === 0) ? await sampleChanges() : foundation(definition);
  const seen = new Set(changes.flatMap((change) => (change.set === "experiment" ? [change.value.id] : [])));
  const [first] = definition.pools;
  if (first === undefined) throw new RangeError("data/sample: no rater pools");
  const { id, kind, name, label } = first;
  for (const path of load) {
    const file = await readCaseFile(path);
    const { id: experiment } = file.experiment;
    if (seen.has(experiment)) throw new UsageError(`${path}: experiment.id ${JSON.stringify(experiment)} is served already; give each case file its own.`);
    seen.add(experiment);
    changes.push(...caseChanges(file, definition.project.id, { id, kind, name, label }));
  }
  return changes;
}
