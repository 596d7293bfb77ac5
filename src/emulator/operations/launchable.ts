import { HttpFailure } from "../http/failure.js";
import { familyOf } from "../simulate/task.js";
import type { Project, Study } from "../state/state.js";

/** @throws HttpFailure 409 when an experiment has nothing to show to raters yet. */
export function launchable(project: Project, { experiment }: Study): void {
  const conflict = (detail: string): HttpFailure => new HttpFailure(409, "conflict", detail);
  const datasets = [...experiment.dataset_ids, ...experiment.training_dataset_ids].map((id) =>
    project.datasets.get(id),
  );
  const waiting = datasets.find((dataset) => dataset?.status !== "ready");
  if (waiting !== undefined) throw conflict(`Dataset ${waiting.name} is ${waiting.status}; it must be ready.`);
  const conditions = new Set(
    experiment.dataset_ids.flatMap((id) => project.datasets.get(id)?.stimuli.map(({ condition }) => condition) ?? []),
  );
  const needed = familyOf(experiment.type) === "pairwise" ? 2 : 1;
  if (conditions.size < needed)
    throw conflict(`The experiment has ${conditions.size} conditions; it needs ${needed} or more.`);
}
