import picomatch from "picomatch";
import { UsageError } from "../platform/index.js";

/** Which experiments are exported; an empty list does not restrict. */
export interface Selection {
  readonly ids: readonly string[];
  /** Globs over names. */
  readonly names: readonly string[];
  readonly types: readonly string[];
}

export const everything: Selection = { ids: [], names: [], types: [] };

export interface Selectable {
  /** Null if the list gives none. */
  readonly id: string | null;
  readonly name: string;
  readonly type: string | null;
}

/**
 * The experiments that fit every list of the selection, in the service's order.
 * @throws UsageError when an identifier is unknown or nothing fits.
 */
export function select<T extends Selectable>(experiments: readonly T[], { ids, names, types }: Selection): T[] {
  const known = new Set(experiments.flatMap(({ id }) => id ?? []));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new UsageError(
      `No experiment ${unknown.join(", ")} in this project. It has: ${[...known].slice(0, 20).join(", ") || "none"}.`,
    );
  }
  const isNamed = names.length === 0 ? () => true : picomatch([...names], { bash: true });
  const fits = ({ id, name, type }: T) =>
    (ids.length === 0 || (id !== null && ids.includes(id))) &&
    isNamed(name) &&
    (types.length === 0 || (type !== null && types.includes(type)));
  const chosen = experiments.filter(fits);
  const restricts = ids.length + names.length + types.length > 0;
  if (restricts && chosen.length === 0) {
    throw new UsageError(
      `No experiment matches the selection (names ${names.join(", ") || "any"}; types ${types.join(", ") || "any"}).`,
    );
  }
  return chosen;
}
