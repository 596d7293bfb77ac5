import type { Change } from "../bed/corruptions.js";
import { createdAt, type Row } from "../bed/study.js";
import { isCounted, type HeldOutStudy } from "./study.js";

/** Errors in the ratings that were counted. */
const wrong = (
  name: string,
  repairs: readonly string[],
  rows: (counted: readonly Row[], study: HeldOutStudy, random: () => number) => readonly Row[],
): Change => ({
  ...{ name, names: [], repairs },
  rows: (study, random) => rows(study.counted, study as HeldOutStudy, random),
});
const distinct = <T>(all: readonly T[]): T[] => [...new Set(all)];
const pick = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)] as T;
const again = (rows: readonly Row[]): Row[] => rows.map((r) => ({ ...r, slate: r.slate + 2_000_000 }));
const named =
  (of: (item: string) => string) =>
  (r: Row): Row => ({ ...r, item: of(r.item) });

export const heldOutErrors: readonly Change[] = [
  wrong("every session twice but the first", ["dropped session"], (rows) => [
    ...rows,
    ...again(rows.filter((r) => r.session !== rows[0]?.session)),
  ]),
  wrong("a job twice", ["doubled session"], (rows) => [...rows, ...again(rows.filter((r) => r.job === "job-a"))]),
  wrong("three sessions twice", ["doubled session", "doubled rater"], (rows, _, random) => {
    const twice = new Set([0, 1, 2].map(() => pick(rows, random).session));
    return [...rows, ...again(rows.filter((r) => twice.has(r.session)))];
  }),
  wrong("the last session only", ["stale session"], (rows) => rows.filter((r) => r.session === rows.at(-1)?.session)),
  wrong("the first session only", ["stale session"], (rows) => rows.filter((r) => r.session === rows[0]?.session)),
  wrong("the first third", ["stale session"], (rows) => {
    const all = distinct(rows.map((r) => r.session));
    return rows.filter((r) => all.indexOf(r.session) <= all.length / 3);
  }),
  wrong("two thirds by creation", ["dropped session"], (rows) => rows.filter((r) => createdAt(r.session) < 670)),
  wrong("every second session", ["dropped session"], (rows) => rows.filter((r) => r.session % 2 === 0)),
  wrong("every third slate missing", ["dropped slate"], (rows) => rows.filter((r) => r.slate % 3 !== 0)),
  wrong("one slate missing", ["dropped slate"], (rows, _, random) => {
    const gone = pick(rows, random).slate;
    return rows.filter((r) => r.slate !== gone);
  }),
  wrong("one rating in ten missing", ["dropped slate", "dropped rating"], (rows, _, random) =>
    rows.filter(() => random() > 0.1),
  ),
  wrong("two raters missing", ["dropped rater", "dropped session"], (rows, _, random) => {
    const gone = new Set([pick(rows, random).rater, pick(rows, random).rater]);
    return rows.filter((r) => !gone.has(r.rater));
  }),
  wrong("a rater who always ties", ["tied rater", "tied session", "dropped rater"], (rows, { family }, random) => {
    const bad = pick(rows, random).rater;
    return rows.map((r) =>
      r.rater === bad ? { ...r, score: family === "pairwise" || family === "approval" ? 0 : 3 } : r,
    );
  }),
  wrong("one session reversed", ["flipped session", "flipped rater"], (rows, { shape }, random) => {
    const bad = pick(rows, random).session;
    return rows.map((r) => (r.session === bad ? { ...r, score: shape.reversed(r.score) } : r));
  }),
  wrong("one job reversed", ["flipped session"], (rows, { shape }) =>
    rows.map((r) => (r.job === "job-b" ? { ...r, score: shape.reversed(r.score) } : r)),
  ),
  wrong("one job counted from 0", [], (rows) =>
    rows.map((r) => (r.job === "job-a" ? { ...r, score: r.score - 1 } : r)),
  ),
  wrong("two items exchanged in one job", ["exchanged item"], (rows) =>
    rows.map((r) =>
      r.job === "job-a" ? named((i) => (i === "sys-00" ? "sys-01" : i === "sys-01" ? "sys-00" : i))(r) : r,
    ),
  ),
  wrong("one item's scores reversed", [], (rows, { shape }) =>
    rows.map((r) => (r.item === "sys-01" ? { ...r, score: shape.reversed(r.score) } : r)),
  ),
  wrong("ratings of another experiment", [], (_, study) => study.another()),
  wrong("a third of another experiment's", [], (rows, study, random) => [
    ...rows,
    ...again(study.another()).filter((r) => r.session % 3 === Math.floor(3 * random()) % 3),
  ]),
  wrong("20 ratings an item", ["dropped slate"], (rows) => {
    const seen = new Map<string, number>();
    return rows.filter((r) => {
      seen.set(r.item, (seen.get(r.item) ?? 0) + 1);
      return (seen.get(r.item) as number) <= 20;
    });
  }),
  wrong("low scores missing", ["dropped slate"], (rows, { family }, random) =>
    rows.filter((r) => family === "pairwise" || r.score > 1 || random() < 0.5),
  ),
  wrong("scores to the nearest ten or two", [], (rows, { family }) => {
    const step = family === "mushra" ? 10 : 2;
    return rows.map((r) =>
      family === "acr" || family === "mushra" ? { ...r, score: step * Math.round(r.score / step) } : r,
    );
  }),
  wrong("training of one job counted", ["added slate", "added session", "added rater"], (_, { rows }) =>
    rows.filter((r) => isCounted(r) || (r.training && r.completed && r.dimension !== "other" && r.job === "job-a")),
  ),
  wrong("some unfinished sessions counted", ["added session", "added rater", "added slate"], (_, { rows }) =>
    rows.filter((r) => isCounted(r) || (!r.completed && !r.training && r.dimension !== "other" && r.session % 2 === 0)),
  ),
  wrong(
    "unfinished sessions instead of the last finished",
    ["stale session", "dropped session", "dropped rater"],
    (_, { rows, counted }) =>
      rows.filter(
        (r) => r.dimension !== "other" && !r.training && (r.completed ? r.session !== counted.at(-1)?.session : true),
      ),
  ),
  wrong("ties lost to the export", ["dropped slate"], (rows, { family }, random) =>
    rows.filter((r) => family !== "pairwise" || r.score !== 0 || (r.slate * 7 + Math.floor(random())) % 3 !== 0),
  ),
];
