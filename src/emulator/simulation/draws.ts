// Random draws of the simulation.
import type { Random } from "../../platform/index.js";

/** Standard normal (Box and Muller). */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The noise of a Bradley-Terry choice. */
export function logistic(random: Random): number {
  const p = Math.min(Math.max(random(), 1e-12), 1 - 1e-12);
  return Math.log(p / (1 - p));
}

export const between = (random: Random, low: number, high: number): number =>
  low + (high - low) * random();

export const whole = (random: Random, low: number, high: number): number =>
  Math.floor(between(random, low, high + 1));

export function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new RangeError("nothing to pick from");
  return one;
}

/** Fisher and Yates. */
export function shuffled<T>(random: Random, from: readonly T[]): T[] {
  const copy = [...from];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  }
  return copy;
}

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

export function randomId(random: Random, length = 8): string {
  let text = "";
  for (let i = 0; i < length; i += 1) text += letters[Math.floor(random() * letters.length)] ?? "x";
  return text;
}

/** FNV-1a. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
