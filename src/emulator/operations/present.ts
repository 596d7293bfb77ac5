import { type ApiVersion, defaultApiVersion, type RecordName, records } from "../../contract/index.js";
import type { Emulator } from "../emulator.js";
import { type ListRows, presentEach } from "../http/response.js";
import { syntheticRaters, syntheticRatings, syntheticSessions, syntheticSlates } from "../sample/synthetic.js";
import type { BillingEvent, Dataset, Job, Leaderboard, Project, Rater, Rating, Rubric, Session, Slate, Study } from "../state/state.js";

type Fields = Record<string, unknown>;

/** The fields of a record that `from` has, in the contract's order. */
function present(record: RecordName, from: object, version: ApiVersion = defaultApiVersion): Fields {
  const names = Object.keys(records[record][version].properties).filter((name) => name in from);
  return Object.fromEntries(names.map((name) => [name, (from as Fields)[name]]));
}

/** A billing event as a project sees it. */
export const presentBillingEvent = (event: BillingEvent): Fields => present("billing_event", event);

export const presentDataset = (dataset: Dataset): Fields => present("dataset", dataset);

export const presentDatasetDetail = (dataset: Dataset): Fields =>
  present("dataset_detail", { ...dataset, num_stimuli: dataset.stimuli.length });

/** A job as listed, or its detail: a pool object and counts in 0.8.3, an integer pool and `neighbour` in 0.7.5. */
export function presentJob(job: Job, version: ApiVersion, record: "job" | "job_detail" = "job"): Fields {
  const { config } = job;
  const isOlder = version === "0.7.5" && config.strategy === "neighbor";
  return present(record, isOlder ? { ...job, config: { ...config, strategy: "neighbour" } } : job, version);
}

export const presentExperiment = ({ experiment, jobs }: Study, version: ApiVersion): Fields =>
  present("experiment", { ...experiment, job_ids: [...jobs.keys()] }, version);

/** An experiment with its datasets and jobs. */
export function presentExperimentDetail(project: Project, { experiment, jobs }: Study, version: ApiVersion): Fields {
  const summaries = (ids: readonly string[]) =>
    ids
      .flatMap((id) => project.datasets.get(id) ?? [])
      .map(({ name, date_created, date_last_used, is_deleted, status }) => ({
        name,
        date_created,
        date_last_used,
        is_deleted,
        status,
      }));
  const detail = {
    ...experiment,
    datasets: summaries(experiment.dataset_ids),
    training_datasets: summaries(experiment.training_dataset_ids),
    jobs: [...jobs.values()].map((job) => presentJob(job, version)),
  };
  return present("experiment_detail", detail, version);
}

/** A leaderboard with its scores, best first. */
export function presentLeaderboard(emulator: Emulator, project: Project, rubric: Rubric, board: Leaderboard): Fields {
  const main = (row: Fields): number => Number(row.value ?? row.mean ?? row.wins ?? 0);
  return {
    ...present("leaderboard_detail", board),
    rubric_id: rubric.id,
    experiment_ids: [board.experiment_id],
    scores: [...(boardResult(emulator, project, board)?.scores ?? [])].sort((a, b) => main(b) - main(a)),
  };
}

/** The published result that a leaderboard shows. */
export function boardResult({ results }: Emulator, project: Project, board: Leaderboard) {
  const study = project.studies.get(board.experiment_id);
  if (study === undefined) return undefined;
  return results.of(study).find(({ kind, dimension }) => kind === board.kind && dimension === board.dimension);
}

export const presentRubric = ({ leaderboards, ...rubric }: Rubric): Fields => ({
  ...rubric,
  leaderboards: leaderboards.map(({ id, name, date_updated }) => ({ id, name, date_updated })),
});

// Rater identifiers are text in 0.8.3 and integers in 0.7.5.
const older = (version: ApiVersion): boolean => version === "0.7.5";
const olderRater = (rater: Rater) => ({ ...rater, id: Number(rater.id) });
const olderSession = (session: Session) => ({ ...session, rater: olderRater(session.rater) });
const olderSlate = (slate: Slate) => ({ ...slate, rater_id: Number(slate.rater_id) });
const unchanged = <T>(row: T): T => row;

/** A study's ratings. `training` includes training ratings. */
export function presentRatings({ synthetic, ratings, slates }: Study, training: boolean): ListRows {
  if (synthetic !== null) return { texts: syntheticRatings(synthetic.ratings) };
  const isIncluded = (rating: Rating): boolean => training || !rating.is_training;
  return presentEach(ratings ?? ratingsOf(slates), unchanged, isIncluded);
}

function* ratingsOf(slates: readonly Slate[]): Generator<Rating> {
  for (const slate of slates) yield* slate.ratings;
}

export function presentSlates({ synthetic, slates }: Study, training: boolean, version: ApiVersion): ListRows {
  if (synthetic !== null) return { texts: syntheticSlates(synthetic.ratings, older(version)) };
  return presentEach(slates, older(version) ? olderSlate : unchanged, (slate) => training || !slate.is_training);
}

/** Without training, sessions that consist of training slates alone are left out. */
export function presentSessions(
  { synthetic, sessions, slates }: Study,
  training: boolean,
  version: ApiVersion,
): ListRows {
  if (synthetic !== null) return { texts: syntheticSessions(synthetic.ratings, older(version)) };
  const hidden = new Set<string>();
  if (!training) {
    for (const slate of slates) if (slate.is_training) hidden.add(slate.session_id);
    for (const slate of slates) if (!slate.is_training) hidden.delete(slate.session_id);
  }
  return presentEach(sessions.values(), older(version) ? olderSession : unchanged, ({ id }) => !hidden.has(id));
}

export function presentRaters({ synthetic, raters }: Study, version: ApiVersion): ListRows {
  if (synthetic !== null) return { texts: syntheticRaters(synthetic.ratings, older(version)) };
  return presentEach(raters.values(), older(version) ? olderRater : unchanged);
}
