import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { goldenDir } from "../golden-case.js";

interface Rating {
  slate_id: number;
  session_id: string;
  job_id: string;
  stimulus: string;
  stimulus_id: number;
  dimension: string;
  score: number | null;
  is_training: boolean;
}

export interface CaseFile {
  experiment: { id: string; name: string };
  sessions: { id: string; job_id: string }[];
  slates: { id: number; session_id: string; job_id: string; ratings: Rating[] }[];
  ratings: Rating[];
}

export type Change = (given: CaseFile) => CaseFile;

const eachRating =
  (change: (rating: Rating) => Rating): Change =>
  (given) => ({
    ...given,
    slates: given.slates.map((slate) => ({ ...slate, ratings: slate.ratings.map(change) })),
    ratings: given.ratings.map(change),
  });

export const both =
  (...changes: readonly Change[]): Change =>
  (given) =>
    changes.reduce((made, change) => change(made), given);

/** Stimuli `park/…` and `street/…`, compared across both, each with two identifiers, so that the item key matters. */
export const inScenes = eachRating((rating) => {
  const { slate_id: slate, stimulus_id: id, stimulus } = rating;
  const scene = (slate + id) % 2;
  return {
    ...rating,
    stimulus: `${scene === 0 ? "park" : "street"}/${stimulus}`,
    stimulus_id: 100 * id + 10 * scene + (Math.floor(slate / 3) % 2),
  };
});

export function inThreeJobs(given: CaseFile): CaseFile {
  const jobs = new Map(given.sessions.map(({ id }, i) => [id, `job${"ABC"[i % 3] ?? ""}`]));
  const jobOf = (session: string): string => jobs.get(session) ?? "";
  return eachRating((rating) => ({ ...rating, job_id: jobOf(rating.session_id) }))({
    ...given,
    sessions: given.sessions.map((session) => ({ ...session, job_id: jobOf(session.id) })),
    slates: given.slates.map((slate) => ({ ...slate, job_id: jobOf(slate.session_id) })),
  });
}

export const inTwoDimensions = eachRating((rating) => ({
  ...rating,
  dimension: rating.slate_id % 2 === 0 ? "quality" : "ease",
}));

/** Scores of 0 and 1 become -1, -½, 0, ½ and 1: whether the middle of the scale approves depends on the convention. */
export const graded = eachRating((rating) => ({
  ...rating,
  score: rating.score === null ? null : rating.score - (rating.slate_id % 3) / 2,
}));

/** Every third slate gets the ratings of the next one of its session, if both are training or neither is: four of them. */
export const inLargerSlates: Change = (given) => {
  const { slates } = given;
  const isAlike = (at: number): boolean => {
    const [own, next] = [slates[at], slates[at + 1]];
    const isTraining = (slate: typeof own): unknown => slate?.ratings[0]?.is_training;
    return own?.session_id === next?.session_id && isTraining(own) === isTraining(next);
  };
  const into = new Map(
    slates.flatMap((slate, at) =>
      at % 3 === 1 && isAlike(at - 1) ? [[slate.id, slates[at - 1]?.id ?? 0] as const] : [],
    ),
  );
  const moved = eachRating((rating) => ({
    ...rating,
    slate_id: into.get(rating.slate_id) ?? rating.slate_id,
  }))(given);
  const ratingsOf = (id: number) =>
    moved.slates.flatMap(({ ratings }) => ratings.filter((r) => r.slate_id === id));
  return {
    ...moved,
    slates: moved.slates
      .filter(({ id }) => !into.has(id))
      .map((slate) => ({ ...slate, ratings: ratingsOf(slate.id) })),
  };
};

export async function withCases<T>(
  cases: readonly { file: string; change: Change }[],
  use: (paths: string[]) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "recount-cases-"));
  try {
    const paths = cases.map(({ file, change }, i) => {
      const path = join(folder, `${i}-${file}.json`);
      const given = JSON.parse(readFileSync(join(goldenDir, `${file}.json`), "utf8")) as CaseFile;
      writeFileSync(path, JSON.stringify(change(given)));
      return path;
    });
    return await use(paths);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
