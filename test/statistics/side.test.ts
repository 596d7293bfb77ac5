import { expect, test } from "vitest";
import { sideFit } from "../../src/statistics/kernels/side.js";
import { seededRandom } from "../../src/platform/index.js";
import { oracle } from "../support/oracle.js";
import { studyReader } from "../support/study-reader.js";

const { readStudy, rowsOf, modelsOf } = studyReader("recount-side");

type Vote = readonly [left: string, right: string, winner: "left" | "right" | "tie"];

const mapping = `study: { id: s, type: pairwise_text }
files: { v: v.csv }
comparisons:
  - { from: v, key: [], rater: rater, left: left, right: right, winner: { column: winner, values: { left: left, right: right, tie: tie } } }
`;

async function sidesOf(votes: readonly Vote[], raters: number) {
  const lines = votes.map((vote, i) => [`r${i % raters}`, ...vote].join(","));
  const csv = ["rater,left,right,winner", ...lines, ""].join("\n");
  const make = await modelsOf(await readStudy(mapping, { "v.csv": csv }));
  await make(["side_bias", "ranking"]);
  return (await rowsOf("from side_bias")) as unknown as Side[];
}

interface Side {
  readonly raters: number;
  readonly decided: number;
  readonly left_wins: number;
  readonly left_share: number;
  readonly ci_low: number;
  readonly ci_high: number;
  readonly is_biased: boolean;
  readonly side: number | null;
  readonly first_item: string | null;
}

const { data: food } = oracle("food") as { data: Vote[] };
const golden = oracle("side") as {
  worths: Record<string, number>;
  side: number;
  share: number;
  std_error: number;
};

test("the share of the left, its interval and the term for it are those of statsmodels", async () => {
  const [found] = await sidesOf(food, 6);
  expect(found).toMatchObject({ raters: 6, decided: 28, first_item: "Tacos" });
  // Both fits stop at steps of 1e-12.
  expect(found!.side).toBeCloseTo(golden.side, 10);
  expect(found!.left_share).toBeCloseTo(golden.share, 14);
  // Wilson's interval of as many votes as the clustered error has, by t with 5 degrees of freedom.
  const [p, t] = [golden.share, 2.570581835636314];
  const n = Math.min(28, (p * (1 - p)) / golden.std_error ** 2);
  const [middle, half] = [
    p + t ** 2 / (2 * n),
    t * Math.sqrt((p * (1 - p) + t ** 2 / (4 * n)) / n),
  ];
  expect(found!.ci_low).toBeCloseTo((middle - half) / (1 + t ** 2 / n), 10);
  expect(found!.ci_high).toBeCloseTo((middle + half) / (1 + t ** 2 / n), 10);
  expect(found!.is_biased).toBe(false);
});

/** Later items are better, but earlier ones are on the left in 70 % of votes, which sways them. */
function drawn(count: number): Vote[] {
  const random = seededRandom(51);
  return Array.from({ length: count }, () => {
    const a = Math.floor(random() * 4);
    const b = (a + 1 + Math.floor(random() * 3)) % 4;
    const [left, right] = random() < 0.3 === a < b ? [b, a] : [a, b];
    const chance = 1 / (1 + Math.exp(-0.9 - 0.15 * (left - right)));
    return [`i${left}`, `i${right}`, random() < chance ? "left" : "right"];
  });
}

const swapped = ([left, right, winner]: Vote): Vote => [
  right,
  left,
  winner === "left" ? "right" : winner === "right" ? "left" : "tie",
];

test("swapping all sides mirrors the share and keeps the order beside the term", async () => {
  const votes = drawn(600);
  const [[one], [other]] = [await sidesOf(votes, 20), await sidesOf(votes.map(swapped), 20)];
  expect(one).toMatchObject({ is_biased: true, first_item: "i3" });
  expect(other).toMatchObject({ is_biased: true, first_item: "i3", decided: one!.decided });
  expect(other!.left_share).toBeCloseTo(1 - one!.left_share, 12);
  expect([1 - other!.ci_high, 1 - other!.ci_low]).toEqual([
    expect.closeTo(one!.ci_low, 12),
    expect.closeTo(one!.ci_high, 12),
  ]);
  expect(other!.side).toBeCloseTo(-one!.side!, 9);
  const [plain] = await rowsOf("select item from ranking where rank = 1");
  expect(plain).toEqual({ item: "i0" });
});

test.each<[string, Vote[]]>([
  ["the winner is always left", food.map((vote) => (vote[2] === "right" ? swapped(vote) : vote))],
  ["each pair has one order", food.map((vote) => (vote[0] > vote[1] ? swapped(vote) : vote))],
])("nothing is said where columns are no sides: %s", async (_, votes) => {
  expect(await sidesOf(votes, 6)).toEqual([]);
});

test("worths of a fit without an end are none", () => {
  const counts = { items: 2, a: Int32Array.of(0, 1), b: Int32Array.of(1, 0) };
  const of = (winsA: number[], winsB: number[]) => ({
    ...counts,
    winsA: Float64Array.from(winsA),
    winsB: Float64Array.from(winsB),
    ties: new Float64Array(2),
  });
  expect(sideFit(of([3, 2], [0, 0]))).toBeNull();
  // Each side wins half of each order: no side, equal items.
  expect([...sideFit(of([2, 2], [2, 2]))!]).toEqual([0, 0, 0]);
});
