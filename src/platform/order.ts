/** Compares by code unit, independent of the locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const places = ["results", "metrics", "leaderboard", "rubric"];

/** Compares places of publication: an experiment's own results first, then the lists of the project. */
export function byPlace(a: string, b: string): number {
  const rank = (place: string): number => places.findIndex((p) => place.startsWith(p));
  return rank(a) - rank(b) || byText(a, b);
}
