import type { Change } from "../bed/corruptions.js";
import type { Row, Study } from "../bed/study.js";
import { isCounted } from "./study.js";

/** Which ratings a service may count instead: every convention that says so, alone and two together. */
const counting = (
  name: string,
  names: readonly string[],
  rows: (all: readonly Row[], study: Study) => readonly Row[],
): Change => ({
  name,
  names,
  repairs: [],
  rows: (study) =>
    rows(
      study.rows.filter((r) => r.dimension !== "other"),
      study,
    ),
});

/** One slate a dimension, as dimensions are pooled. */
const apart = (rows: readonly Row[]): Row[] =>
  rows.map((r) => (r.dimension === "other" ? { ...r, slate: r.slate + 0.5 } : r));

/** A rater's first or last answer to the same items; the rows of a slate follow each other. */
function oneAnswer(rows: readonly Row[], which: "first" | "last"): Row[] {
  const slates = new Map<number, Row[]>();
  for (const row of rows) slates.set(row.slate, [...(slates.get(row.slate) ?? []), row]);
  const kept = new Map<string, number>();
  for (const [slate, own] of slates) {
    const key = `${own[0]?.rater}:${own
      .map((r) => r.item)
      .sort()
      .join()}`;
    if (which === "last" || !kept.has(key)) kept.set(key, slate);
  }
  const left = new Set(kept.values());
  return rows.filter((r) => left.has(r.slate));
}
const without =
  (key: (row: Row) => number): ((all: readonly Row[]) => Row[]) =>
  (all) => {
    const bad = new Set(all.filter((r) => r.correct === 0).map(key));
    return all.filter((r) => isCounted(r) && !bad.has(key(r)));
  };

export const heldOutPopulations: readonly Change[] = [
  counting("training alone", ["training=only"], (all) => all.filter((r) => r.completed && r.training)),
  counting("training too, one job", ["training=include", "job=job-a"], (all) =>
    all.filter((r) => r.completed && r.job === "job-a"),
  ),
  counting("without the first job", ["without_job=job-a", "job=job-b"], (all) =>
    all.filter((r) => isCounted(r) && r.job !== "job-a"),
  ),
  counting("incomplete, last answers", ["incomplete=include", "repeats=last"], (all) =>
    oneAnswer(
      all.filter((r) => !r.training),
      "last",
    ),
  ),
  counting("first answers", ["repeats=first"], (all) => oneAnswer(all.filter(isCounted), "first")),
  counting("last answers", ["repeats=last"], (all) => oneAnswer(all.filter(isCounted), "last")),
  counting(
    "without failed checks",
    ["incorrect=exclude_ratings", "incorrect=exclude_slates"],
    without((r) => r.slate),
  ),
  counting(
    "without sessions with a failed check",
    ["incorrect=exclude_sessions"],
    without((r) => r.session),
  ),
  counting(
    "without raters with a failed check",
    ["incorrect=exclude_raters"],
    without((r) => r.rater),
  ),
  counting("all dimensions", ["dimension=all"], (_, study) =>
    apart(study.rows).filter((r) => r.completed && !r.training),
  ),
  counting("the other dimension", ["dimension=other"], (_, study) =>
    study.rows.filter((r) => r.dimension === "other" && r.completed && !r.training),
  ),
];
