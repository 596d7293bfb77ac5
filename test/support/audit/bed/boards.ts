/** How public boards compute what they publish: conventions, and algorithms near them that have no name. */
import type { Kind } from "../../../../src/metrics/kinds.js";
import type { Random } from "../../../../src/platform/random.js";
import {
  avg,
  duelsOf,
  eloOf,
  grouped,
  itemsOf,
  mapped,
  scoresBy,
  type Duel,
  type Ratings,
} from "./plain.js";
import { eloScale, worthsOf } from "./votes.js";
import type { Algorithm, Family } from "./world.js";

const pairs: readonly Family[] = ["pairwise"];

type Rated = (duels: Duel[], random: Random) => Ratings;
const ratedAs = (kind: Kind, name: string, names: readonly string[], of: Rated): Algorithm => ({
  name,
  names,
  kind,
  families: pairs,
  of: (rows, random) => mapped(of(duelsOf(rows), random), (value) => ({ value })),
});

const decided = (duels: readonly Duel[]): Duel[] => duels.filter((d) => d.share !== 0.5);
/** Log worths stretched, with one item held at a number. */
const held = (logs: Ratings, item: string, at: number, scale = eloScale): Ratings =>
  mapped(logs, (log) => at + scale * (log - (logs.get(item) ?? NaN)));
const anchor = "sys-02";

const rated: readonly Kind[] = ["bradley_terry", "elo", "bayesian_elo"];

const graded: readonly Family[] = ["acr", "mushra"];

/** Means of penalties: minus a mean of each item's scores. */
const minusMean = (
  name: string,
  names: readonly string[],
  of: (scores: number[]) => number,
): Algorithm => ({
  name,
  names,
  kind: "mean",
  families: graded,
  of: (rows) => mapped(scoresBy(rows), (xs) => ({ value: -of(xs), n: xs.length })),
});
/** The root of it would round to the mean in numbers without decimals. */
const meanSquare = (scores: number[]): number => avg(scores.map((x) => x * x)) / 5;

/** The mean over opponents of the percentage won, a tie counting `tie`. */
const winRate = (duels: readonly Duel[], tie: number): Ratings => {
  const sides = duels.flatMap(({ a, b, share }) => [
    { item: a, opponent: b, won: share },
    { item: b, opponent: a, won: 1 - share },
  ]);
  const won = (share: number): number => (share === 0.5 ? tie : share);
  const means = (all: typeof sides): number =>
    avg(
      [...grouped(all, (one) => one.opponent).values()].map((own) =>
        avg(own.map((s) => won(s.won))),
      ),
    );
  return new Map(
    [...grouped(sides, (one) => one.item)].map(([item, own]) => [item, 100 * means(own)]),
  );
};

const conventions: readonly Algorithm[] = [
  minusMean("minus the mean", ["sign=minus"], avg),
  ratedAs("percent_chosen", "mean win rate, ties half", ["share=opponents", "ties=half"], (d) =>
    winRate(d, 0.5),
  ),
  ...rated.flatMap((kind) => [
    ratedAs(kind, "Elo scale, held at 1114", ["unit=elo", "fit=likelihood"], (d) =>
      held(worthsOf(d), anchor, 1114),
    ),
    ratedAs(kind, "Elo scale, held at 800", ["unit=elo", "fit=likelihood"], (d) =>
      held(worthsOf(d), anchor, 800),
    ),
    ratedAs(kind, "Elo scale, held at 1042", ["unit=elo", "fit=likelihood"], (d) =>
      held(worthsOf(d), anchor, 1042),
    ),
    ratedAs(
      kind,
      "Elo scale without ties, held at 1000",
      ["unit=elo", "fit=likelihood", kind === "elo" ? "ties=skip" : "ties=exclude"],
      (d) => held(worthsOf(decided(d)), anchor, 1000),
    ),
  ]),
  ratedAs("bradley_terry", "Elo scale around 1000", ["unit=elo"], (d) =>
    mapped(worthsOf(d), (log) => 1000 + eloScale * log),
  ),
  ratedAs("elo", "K 4 from 1000", ["k=4"], (d) => eloOf(d, { k: 4, start: 1000 })),
  ratedAs("elo", "K 4 from 1000, newest first", ["k=4", "order=reversed"], (d) =>
    eloOf(d.reverse(), { k: 4, start: 1000 }),
  ),
];

const others: readonly Algorithm[] = [
  minusMean("minus a fifth of the mean square", [], meanSquare),
  ratedAs("percent_chosen", "mean win rate, a tie a third", [], (d) => winRate(d, 1 / 3)),
  ...rated.flatMap((kind) => [
    ratedAs(kind, "another scale, held at 1114", [], (d) =>
      mapped(held(worthsOf(d), anchor, 1114, 1.02 * eloScale), (v) => v + 3e-4 * (v - 1114) ** 2),
    ),
    ratedAs(kind, "half a win to each pair that met, held at 1114", [], (d) => {
      const met = new Map(d.map((one) => [`${one.a}|${one.b}`, one]));
      const more = [...met.values()].flatMap((one) => [0, 1].map((share) => ({ ...one, share })));
      return held(worthsOf([...d, ...more]), anchor, 1114);
    }),
    ratedAs(kind, "mean of bootstrap draws, held at 1114", [], (d, random) => {
      const draws = Array.from({ length: 12 }, () =>
        held(worthsOf(d.map(() => d[Math.floor(random() * d.length)]!)), anchor, 1114),
      );
      return new Map(
        itemsOf(d).map((item) => {
          const own = draws.map((one) => one.get(item) ?? NaN).filter(Number.isFinite);
          return [item, own.length === 0 ? 1000 : avg(own)];
        }),
      );
    }),
  ]),
];

export const boards = {
  definitions: [ratedAs("bradley_terry", "bradley_terry", [], (d) => worthsOf(d))],
  conventions,
  others,
} satisfies Record<string, readonly Algorithm[]>;
