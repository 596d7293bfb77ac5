const isBound = (value: unknown): value is number | null => value === null || typeof value === "number";

/**
 * The computed `is_correct` of a rating (docs/metrics.md): the boolean flag in `meta.isCorrect` wins,
 * else whether the score lies inside the inclusive `meta.expectedScores`, else null.
 */
export function isCorrect(score: number | null, meta: unknown): boolean | null {
  if (typeof meta !== "object" || meta === null) return null;
  if ("isCorrect" in meta && typeof meta.isCorrect === "boolean") return meta.isCorrect;
  if (score === null || !("expectedScores" in meta) || !Array.isArray(meta.expectedScores)) return null;
  const bounds: unknown[] = meta.expectedScores;
  const [low, high] = bounds;
  if (bounds.length !== 2 || !isBound(low) || !isBound(high)) return null;
  if (low === null && high === null) return null;
  if (low !== null && score < low) return false;
  if (high !== null && score > high) return false;
  return true;
}
