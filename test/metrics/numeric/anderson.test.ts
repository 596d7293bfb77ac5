import { expect, test } from "vitest";
import { createAnderson } from "../../../src/metrics/numeric/solvers.js";

/** A contraction by 0.99 at its slowest: plain iteration needs about 2700 rounds for 1e-12. */
const image = (x: Float64Array): Float64Array =>
  x.map((value, i) => 0.99 * Math.sin(value) * (1 - i / 10) + 0.2 + i + 0.01 * x[(i + 1) % x.length]!);

function solve(next: (x: Float64Array, g: Float64Array) => Float64Array): { x: Float64Array; rounds: number } {
  let x: Float64Array = new Float64Array(5);
  for (let rounds = 1; rounds < 10_000; rounds++) {
    const g = image(x);
    if (g.every((value, i) => Math.abs(value - x[i]!) < 1e-13)) return { x, rounds };
    x = next(x, g);
  }
  return { x, rounds: Infinity };
}

test("reaches the fixed point of plain iteration in fewer rounds", () => {
  const anderson = createAnderson();
  const plain = solve((_, g) => g);
  const fast = solve((x, g) => anderson.next(x, g));
  expect(fast.rounds).toBeLessThan(plain.rounds / 2);
  fast.x.forEach((value, i) => expect(value).toBeCloseTo(plain.x[i]!, 10));
});
