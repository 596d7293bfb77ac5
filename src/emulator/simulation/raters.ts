import type { Random } from "../../platform/index.js";
import type { Rater } from "../state.js";
import { between, gaussian, pick } from "./draws.js";

/** A simulated rater: who they are and how they answer. */
export interface SimulatedRater {
  record: Rater;
  /** Factor on true differences; above 1 for raters who perceive more than most. */
  acuity: number;
  /** Added to every rating on a scale, in tenths of the scale. */
  bias: number;
  /** Share of slates answered at random. */
  inattention: number;
}

const colours = "amber ash cobalt copper coral fern ivory jade lilac ochre pearl plum sand teal".split(" ");
const animals = "badger crane dunlin finch hare heron ibex lynx marten otter plover stoat tern vole".split(" ");
const devices = ["headphones", "headphones", "headphones", "loudspeakers", "in-ear"];

export function simulatedRater(random: Random, id: number, inattentiveShare: number): SimulatedRater {
  const careless = random() < inattentiveShare;
  const alias = `${pick(random, colours)}-${pick(random, animals)}-${id}`;
  return {
    record: { id: String(id), user: { alias }, meta: { device: pick(random, devices) } },
    acuity: Math.exp(0.25 * gaussian(random)),
    bias: 0.6 * gaussian(random),
    inattention: careless ? between(random, 0.6, 1) : between(random, 0, 0.03),
  };
}

/** Raters in a pool, by kind of pool; the other kinds are unlimited. */
export const poolSizes: Readonly<Record<number, number>> = { 100: 12, 600: 30 };
