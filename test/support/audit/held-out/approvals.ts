import { mapped, type Algorithm } from "../bed/algorithm.js";
import { avg, grouped, scoresBy } from "../bed/scored.js";
import { countsIn } from "./counts.js";
import type { Row } from "../bed/study.js";

const approvedAs = (
  name: string,
  names: readonly string[],
  value: (k: number, n: number, xs: readonly number[]) => number,
): Algorithm => ({
  ...{ name, names, kind: "percent_approved", families: ["approval"] },
  of: (rows, study) =>
    countsIn(
      study,
      mapped(scoresBy(rows), (xs) => ({
        value: 100 * value(xs.filter((x) => x > 0).length, xs.length, xs),
        n: xs.length,
      })),
    ),
});
/** A share of an item's answers, which may depend on all answers. */
export const approvedBy = (name: string, of: (own: readonly Row[], all: readonly Row[]) => number): Algorithm => ({
  ...{ name, names: [], kind: "percent_approved", families: ["approval"] },
  of: (rows, study) =>
    countsIn(
      study,
      mapped(
        grouped(rows, (r) => r.item),
        (own) => ({ value: 100 * of(own, rows), n: own.length }),
      ),
    ),
});
const share = (own: readonly Row[]): number => own.filter((r) => r.score > 0).length / own.length;
const most = Math.max;

export const heldOutApprovals: readonly Algorithm[] = [
  {
    ...{ name: "at the midpoint", names: ["approved=midpoint"], kind: "percent_approved", families: ["approval"] },
    of: (rows, study) => {
      const all = rows.map((r) => r.score);
      const middle = (Math.min(...all) + most(...all)) / 2;
      const by = scoresBy(rows);
      return countsIn(
        study,
        mapped(by, (xs) => ({ value: (100 * xs.filter((x) => x >= middle).length) / xs.length, n: xs.length })),
      );
    },
  },
  approvedAs("fractions, over n - 1", ["scale=fraction", "denominator=n-1"], (k, n) => k / (n - 1) / 100),
  approvedAs("share disapproved", ["scale", "shift"], (k, n) => 1 - k / n),
  approvedAs("Jeffreys", [], (k, n) => (k + 0.5) / (n + 1)),
  approvedAs("Agresti and Coull", [], (k, n) => (k + 2) / (n + 4)),
  approvedAs("Wilson's lower end", [], (k, n) => {
    const [p, z] = [k / n, 1.96];
    return (p + (z * z) / (2 * n) - z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  }),
  approvedAs("net of disapproval", [], (k, n, xs) => (k - xs.filter((x) => x < 0).length) / n),
  approvedAs(
    "of those that are not neutral",
    [],
    (k, n, xs) => k / most(1, n - xs.filter((x) => x === 0).length * 0.5),
  ),
  approvedAs("odds", [], (k, n) => k / (n - k + 0.5)),
  approvedAs("arcsine", [], (k, n) => (2 / Math.PI) * Math.asin(Math.sqrt(k / n))),
  approvedBy("mean of the raters' shares", (own) => avg([...grouped(own, (r) => r.rater).values()].map(share))),
  approvedBy("mean of the jobs' shares", (own) => avg([...grouped(own, (r) => r.job).values()].map(share))),
  approvedBy("raters with a majority", (own) =>
    avg([...grouped(own, (r) => r.rater).values()].map((o) => Number(share(o) > 0.5))),
  ),
  approvedBy("raters with any approval", (own) =>
    avg([...grouped(own, (r) => r.rater).values()].map((o) => Number(share(o) > 0))),
  ),
  approvedBy("the last answer of each rater", (own) =>
    avg([...grouped(own, (r) => r.rater).values()].map((o) => Number((o.at(-1)?.score ?? 0) > 0))),
  ),
];
