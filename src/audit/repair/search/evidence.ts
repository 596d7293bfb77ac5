import { log2Choose } from "../chance.js";
import type { Influence } from "../influence/index.js";

/** Maximum number of bits that a number is worth: doubles that agree to more bits are not better evidence. */
const mostBits = 40;

/**
 * Bits of evidence in the published numbers: which of them differ, and by how many steps of their resolution. Numbers
 * that no change could move independently (their sum is fixed, say) count once.
 */
export function evidenceOf(influence: Influence): number {
  const { residual, slack, resolution } = influence.linear().gap;
  const missed = [...residual.keys()].filter((e) => !(Math.abs(residual[e] as number) <= (slack[e] as number)));
  if (missed.length === 0) return 0;
  const bitsOf = (e: number): number =>
    Math.min(mostBits, Math.log2(1 + (2 * Math.abs(residual[e] as number)) / (resolution[e] as number)));
  const size = missed.reduce((sum, e) => sum + bitsOf(e), 0);
  const pattern = log2Choose(residual.length, Math.min(missed.length, residual.length - missed.length));
  return pattern + (size * rankOf(influence, missed)) / missed.length;
}

/** How many of some equations single events move independently, from a sample of the newest events and of all. */
function rankOf({ linear, events }: Influence, equations: readonly number[]): number {
  const at = new Map(equations.map((e, i) => [e, i]));
  const { contribution } = linear();
  const tries = 3 * equations.length + 50;
  const step = Math.max(1, Math.floor(events.count / tries));
  const basis: Float64Array[] = [];
  for (let i = 0; i < 2 * tries && basis.length < equations.length; i++) {
    const event = events.count - 1 - (i < tries ? i : (i - tries) * step);
    if (event < 0) continue;
    const row = new Float64Array(equations.length);
    contribution(event, events.outcome[event] ?? 0, 1, (e, amount) => {
      const place = at.get(e);
      if (place !== undefined) row[place] = (row[place] as number) + amount;
    });
    const size = norm(row);
    if (size === 0) continue;
    for (const other of basis) {
      const share = row.reduce((sum, x, j) => sum + x * (other[j] as number), 0);
      for (let j = 0; j < row.length; j++) row[j] = (row[j] as number) - share * (other[j] as number);
    }
    const left = norm(row);
    if (left > 1e-6 * size) basis.push(row.map((x) => x / left));
  }
  return basis.length;
}

function norm(row: Float64Array): number {
  return Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
}
