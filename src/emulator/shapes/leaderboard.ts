import type { Service } from "../service.js";
import type { Leaderboard, Project, Rubric } from "../state/state.js";

/** A leaderboard with its scores, best first. */
export function leaderboardShape(
  service: Service,
  project: Project,
  rubric: Rubric,
  board: Leaderboard,
): Record<string, unknown> {
  const { id, name, description, date_updated, kind, dimension, experiment_id } = board;
  const scores = boardResult(service, project, board)?.scores ?? [];
  const main = (row: Record<string, unknown>): number => Number(row["value"] ?? row["mean"] ?? row["wins"] ?? 0);
  return {
    ...{ id, name, description, date_updated, kind, dimension },
    rubric_id: rubric.id,
    experiment_ids: [experiment_id],
    scores: [...scores].sort((a, b) => main(b) - main(a)),
  };
}

export function boardResult(service: Service, project: Project, board: Leaderboard) {
  const study = project.studies.get(board.experiment_id);
  if (study === undefined) return undefined;
  return service.results.of(study).find(({ kind, dimension }) => kind === board.kind && dimension === board.dimension);
}

export function rubricShape({ leaderboards, ...rubric }: Rubric): Record<string, unknown> {
  return { ...rubric, leaderboards: leaderboards.map(({ id, name, date_updated }) => ({ id, name, date_updated })) };
}
