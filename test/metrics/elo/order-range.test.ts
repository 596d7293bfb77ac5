import { expect, test } from "vitest";
import { defaultConventions } from "../../../src/metrics/conventions.js";
import { eloOrderRange, onlineElo } from "../../../src/metrics/elo/online-elo.js";

const elo = { ...defaultConventions.elo, permutations: 50 };
/** Two sessions of one comparison each: two orders in all. */
const two = {
  a: Int32Array.of(0, 1),
  b: Int32Array.of(1, 2),
  outcome: Int8Array.of(1, 1),
  session: Int32Array.of(1, 2),
};

test("with two sessions, the range spans their two orders", () => {
  const range = eloOrderRange(3, two, elo);
  const forth = onlineElo(3, two, elo).rating;
  const back = onlineElo(3, { ...two, a: Int32Array.of(1, 0), b: Int32Array.of(2, 1) }, elo).rating;
  expect([...range.min]).toEqual([...forth.map((r, i) => Math.min(r, back[i]!))]);
  expect([...range.max]).toEqual([...forth.map((r, i) => Math.max(r, back[i]!))]);
  expect(range.max[1]!).toBeGreaterThan(range.min[1]!);
});

test("the order within a session is kept: one session has one order", () => {
  const range = eloOrderRange(3, { ...two, session: Int32Array.of(1, 1) }, elo);
  expect([...range.min]).toEqual([...onlineElo(3, two, elo).rating]);
  expect(range.max).toEqual(range.min);
});

test("the same seed tries the same orders; no orders give no range", () => {
  expect(eloOrderRange(3, two, elo)).toEqual(eloOrderRange(3, two, elo));
  const none = eloOrderRange(3, two, { ...elo, permutations: 0 });
  expect([none.permutations, none.min[0]]).toEqual([0, NaN]);
});
