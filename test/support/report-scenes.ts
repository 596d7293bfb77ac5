import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../src/platform/random.js";
import { importStudy } from "../../src/library/index.js";

export interface Scene {
  readonly cases: readonly Case[];
  /** Null: nothing is published, and the votes are imported. */
  readonly publishing: readonly object[] | null;
}

interface Case {
  readonly experiment: {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly language: string;
  };
  readonly sessions: readonly object[];
  readonly slates: readonly object[];
  readonly ratings: readonly object[];
}

interface Shape {
  readonly id: string;
  readonly name: string;
  readonly items: readonly string[];
  readonly jobs: number;
  readonly sessions: number;
  readonly slates: number;
  readonly raters: number;
  /** Scores of 1 to 5 instead of comparisons. */
  readonly isScored?: boolean;
  readonly seed: number;
}

const minute = (count: number) =>
  new Date(Date.UTC(2026, 2, 2, 8) + 60_000 * count).toISOString().replace(".000", "");

/** A study whose raters prefer earlier items; the first slate of a session is training. */
function drawn({
  id,
  name,
  items,
  jobs,
  sessions,
  slates,
  raters,
  isScored = false,
  seed,
}: Shape): Case {
  const random = seededRandom(seed);
  const among = (count: number) => Math.floor(random() * count);
  const file = {
    experiment: { id, name, type: isScored ? "acr_audio" : "pairwise_image", language: "en" },
    sessions: [] as object[],
    slates: [] as object[],
    ratings: [] as object[],
  };
  for (let s = 0; s < sessions; s++) {
    const rater = 1 + (s % raters);
    const [session_id, job_id] = [`${id}s${s}`, `${id}job${s % jobs}`];
    file.sessions.push({
      id: session_id,
      job_id,
      experiment_id: id,
      date_created: minute(60 * s),
      date_updated: minute(60 * s + slates),
      date_completed: s % 23 === 22 ? null : minute(60 * s + slates),
      meta: {},
      rater: { id: String(rater), user: {}, meta: null },
    });
    for (let t = 0; t < slates; t++) {
      const a = among(items.length);
      const b = (a + 1 + among(items.length - 1)) % items.length;
      const better = random() < 1 / (1 + Math.exp((a - b) / (items.length / 5))) ? 1 : -1;
      const shown = isScored ? [a] : [a, b].sort((x, y) => x - y);
      const scores = isScored
        ? [
            Math.max(
              1,
              Math.min(5, Math.round(4.6 - (3 * a) / items.length + 1.6 * (random() - 0.5))),
            ),
          ]
        : shown[0] === a
          ? [better, -better]
          : [-better, better];
      const slate_id = 1 + s * slates + t;
      const is_training = t === 0;
      const ratings = shown.map((item, i) => ({
        ...{
          score: scores[i],
          rater_id: rater,
          slate_id,
          session_id,
          job_id,
          stimulus_id: 100 + item,
        },
        ...{ stimulus: items[item], dimension: "", is_training, meta: {}, is_correct: null },
      }));
      const slate = { id: slate_id, rater_id: String(rater), session_id, job_id, is_training };
      file.slates.push({ ...slate, date_updated: minute(60 * s + t), meta: {}, ratings });
      file.ratings.push(...ratings);
    }
  }
  return file;
}

const vendors = [
  "Northern Lights",
  "Meridian Labs",
  "Tallgrass",
  "Ostinato",
  "Blue Heron",
  "Kestrel & Sons",
  "GPT",
];

/** Names of up to 38 characters, as arenas have. */
const longNames = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const vendor = vendors[i % vendors.length] ?? "";
    return vendor === "GPT"
      ? `GPT ${i}`
      : `${vendor} ${i}.${i % 10} instruct-long-context${i % 3 === 0 ? "-8b" : ""}`;
  });

const small = ["amber", "birch", "cedar", "dune"];

const tiny = (i: number): Case =>
  drawn({
    ...{ id: `exp${i}`, name: `Round ${i} of the nightly comparison`, items: small },
    ...{ jobs: 1, sessions: 6, slates: 7, raters: 5, seed: 100 + i },
  });

const trained = {
  kinds: ["percent_chosen"],
  conventions: { training: "include" },
  options: "silent",
};

export const scenes: Readonly<Record<string, () => Scene>> = {
  "59 items with long names": () => ({
    cases: [
      drawn({
        ...{ id: "arena", name: "Arena of long names", items: longNames(59) },
        ...{ jobs: 2, sessions: 150, slates: 31, raters: 60, seed: 7 },
      }),
    ],
    publishing: [],
  }),
  "60 items without published numbers": () => ({
    cases: [
      drawn({
        ...{ id: "arena", name: "arena", items: longNames(60) },
        ...{ jobs: 1, sessions: 150, slates: 31, raters: 60, seed: 8 },
      }),
    ],
    publishing: null,
  }),
  "200 experiments": () => ({
    cases: Array.from({ length: 200 }, (_, i) => tiny(i)),
    publishing: ["exp17", "exp90"]
      .map((experiment): object => ({ experiment, ...trained }))
      .concat({
        experiment: "exp120",
        kinds: ["elo"],
        corruption: { damage: "drop_session", index: 1 },
      }),
  }),
  "scores with one rater": () => ({
    cases: [
      drawn({
        ...{ id: "solo", name: "One listener, seven systems", items: longNames(7) },
        ...{ jobs: 1, sessions: 8, slates: 31, raters: 1, isScored: true, seed: 3 },
      }),
      drawn({
        ...{ id: "panel", name: "A panel, seven systems", items: longNames(7) },
        ...{ jobs: 1, sessions: 12, slates: 31, raters: 6, isScored: true, seed: 4 },
      }),
    ],
    publishing: [],
  }),
};

export const writeScene = ({ cases }: Scene, folder: string): string[] =>
  cases.map((file) => {
    const path = join(folder, `${file.experiment.id}.json`);
    writeFileSync(path, JSON.stringify(file));
    return path;
  });

export async function importScene({ cases }: Scene, folder: string, lake: string): Promise<void> {
  const [{ experiment, slates }] = cases as [Case];
  const rows = (slates as Slate[]).map(({ rater_id, ratings: [a, b] }) => {
    const winner = a.score > b.score ? "left" : "right";
    return [rater_id, a.stimulus, b.stimulus, winner].join(",");
  });
  writeFileSync(join(folder, "votes.csv"), ["rater,left,right,winner", ...rows].join("\n"));
  const mapping = join(folder, "mapping.yaml");
  writeFileSync(
    mapping,
    `study: { id: ${experiment.id}, type: ${experiment.type} }
files: { votes: votes.csv }
comparisons:
  { from: votes, key: [], rater: rater, left: left, right: right, winner: { column: winner, values: { left: left, right: right } } }
`,
  );
  await importStudy({ mapping, lake });
}

interface Slate {
  readonly rater_id: string;
  readonly ratings: readonly [Vote, Vote];
}

interface Vote {
  readonly stimulus: string;
  readonly score: number;
}
