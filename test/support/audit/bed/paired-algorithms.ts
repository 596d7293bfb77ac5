import type { Kind } from "../../../../src/metrics/kinds.js";
import { mapped, pairs, type Algorithm } from "./algorithm.js";
import { duelsOf, eloOf, gammaElo, recordsOf, ridgeElo, type Record4 } from "./paired.js";
import type { Row } from "./study.js";

const shareAs = (
  name: string,
  names: readonly string[],
  value: (r: Record4) => number,
  n: (r: Record4) => number = (r) => r.n,
): Algorithm => ({
  name,
  names,
  kind: "percent_chosen",
  families: pairs,
  of: (rows) => mapped(recordsOf(duelsOf(rows)), (r) => ({ value: 100 * value(r), n: n(r) })),
});
const shares: readonly Algorithm[] = [
  shareAs("half ties", ["ties=half"], (r) => (r.wins + r.ties / 2) / r.n),
  shareAs(
    "no ties",
    ["ties=exclude"],
    (r) => r.wins / (r.wins + r.losses),
    (r) => r.wins + r.losses,
  ),
  shareAs("fractions", ["scale=fraction"], (r) => r.wins / r.n / 100),
  shareAs("share of losses", ["share=losses"], (r) => r.losses / r.n),
  shareAs("over n - 1", ["denominator=n-1"], (r) => r.wins / (r.n - 1)),
  shareAs("over n + 1", [], (r) => r.wins / (r.n + 1)),
  shareAs("Laplace", [], (r) => (r.wins + 1) / (r.n + 2)),
  shareAs("Wilson centre", [], (r) => (r.wins + 1.92) / (r.n + 3.84)),
  shareAs("ties a third", [], (r) => (r.wins + r.ties / 3) / r.n),
  shareAs("ties won", [], (r) => (r.wins + r.ties) / r.n),
  shareAs("odds", [], (r) => r.wins / (r.losses + 0.5) / 100),
];
const eloAs = (
  name: string,
  names: readonly string[],
  of: (rows: readonly Row[], random: () => number) => Map<string, number>,
  kind: Kind = "elo",
): Algorithm => ({
  name,
  names,
  kind,
  families: pairs,
  of: (rows, _, random) => mapped(of(rows, random), (value) => ({ value })),
});
const elos: readonly Algorithm[] = [
  eloAs("K 16", ["k=16"], (rows) => eloOf(duelsOf(rows), { k: 16 })),
  eloAs("K 24, start 1500", ["k=24", "start=1500"], (rows) => eloOf(duelsOf(rows), { k: 24, start: 1500 })),
  eloAs("start 1000", ["start=1000"], (rows) => eloOf(duelsOf(rows), { start: 1000 })),
  eloAs("ties skipped", ["ties=skip"], (rows) => eloOf(duelsOf(rows), { skipTies: true })),
  eloAs("newest first", ["order=reversed"], (rows) => eloOf(duelsOf(rows).reverse(), {})),
  eloAs("K falls after 15 games", [], (rows) => eloOf(duelsOf(rows), { k: (games) => (games < 15 ? 40 : 20) })),
  eloAs("K by 1/sqrt", [], (rows) => eloOf(duelsOf(rows), { k: (games) => 60 / Math.sqrt(1 + games / 5) })),
  eloAs("mean of 20 orders", [], (rows, random) => {
    const total = new Map<string, number>();
    for (let i = 0; i < 20; i++) {
      const mixed = duelsOf(rows)
        .map((d) => ({ d, at: random() }))
        .sort((x, y) => x.at - y.at)
        .map(({ d }) => d);
      for (const [item, value] of eloOf(mixed, {})) total.set(item, (total.get(item) ?? 0) + value / 20);
    }
    return total;
  }),
  eloAs("random order", [], (rows, random) =>
    eloOf(
      duelsOf(rows)
        .map((d) => ({ d, at: random() }))
        .sort((x, y) => x.at - y.at)
        .map(({ d }) => d),
      {},
    ),
  ),
  eloAs("Bradley-Terry as Elo", [], (rows) => ridgeElo(duelsOf(rows), 0.01)),
];
const strength = (
  name: string,
  names: readonly string[],
  of: (rows: readonly Row[], random: () => number) => Map<string, number>,
): Algorithm => eloAs(name, names, of, "bayesian_elo");
const strengths: readonly Algorithm[] = [
  strength("shape 2", ["shape=2"], (rows) => gammaElo(duelsOf(rows), { shape: 2, rate: 0.05 })),
  strength("anchor 1500", ["anchor=1500"], (rows) => gammaElo(duelsOf(rows), { anchor: 1500 })),
  strength("ties excluded", ["ties=exclude"], (rows) => gammaElo(duelsOf(rows), { ties: "exclude" })),
  strength("stopped at 1 Elo", ["stop_elo=1"], (rows) => gammaElo(duelsOf(rows), { stop: 1 })),
  strength("stopped after 20 rounds", ["stop_elo"], (rows) => gammaElo(duelsOf(rows), { rounds: 20 })),
  strength("stopped at 1e-3 Elo", ["stop_elo"], (rows) => gammaElo(duelsOf(rows), { stop: 1e-3 })),
  strength("Davidson", ["ties=davidson"], (rows) => ridgeElo(duelsOf(rows), 0.2, true)),
  strength("ridge 1", [], (rows) => ridgeElo(duelsOf(rows), 1)),
  strength("ridge 0.1", [], (rows) => ridgeElo(duelsOf(rows), 0.1)),
  strength("ridge 5", [], (rows) => ridgeElo(duelsOf(rows), 5)),
  strength("online Elo", [], (rows) => eloOf(duelsOf(rows), {})),
  strength("pseudo-games", [], (rows) => {
    const duels = duelsOf(rows);
    const items = [...new Set(duels.flatMap((d) => [d.a, d.b]))];
    return gammaElo(
      [...duels, ...items.flatMap((a) => items.filter((b) => b !== a).map((b) => ({ a, b, share: 1, session: 0 })))],
      { shape: 1.0001, rate: 0.001 },
    );
  }),
];

export const pairedAlgorithms: readonly Algorithm[] = [...shares, ...elos, ...strengths];

/** The definitions themselves. */
export const pairedDefinitions: readonly Algorithm[] = [
  shareAs("percent_chosen", [], (r) => r.wins / r.n),
  {
    ...{ name: "win_loss", names: [], kind: "win_loss", families: pairs },
    of: (rows) => mapped(recordsOf(duelsOf(rows)), (r) => ({ ...r })),
  },
  eloAs("elo", [], (rows) => eloOf(duelsOf(rows), {})),
  strength("bayesian_elo", [], (rows) => gammaElo(duelsOf(rows), {})),
];
