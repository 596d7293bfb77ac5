import { isRecord } from "./record.js";

/** Keys of the name of a scored item, most specific first. */
export const identityKeys = [
  "stimulus",
  "stimulus_id",
  "item",
  "name",
  "label",
  "method",
  "condition",
  "id",
  "key",
] as const;

export interface Identity {
  readonly key: string;
  readonly name: string;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return undefined;
}

/** Every name of an entry, in the order of `identityKeys`; `{stimulus: {id, name}}` counts as both. */
export function identitiesOf(entry: Record<string, unknown>): Identity[] {
  const found: Identity[] = [];
  for (const key of identityKeys) {
    const value = entry[key];
    const name = nameOf(value);
    if (name !== undefined) found.push({ key, name });
    else if (isRecord(value)) {
      for (const inner of identitiesOf(value)) found.push({ key: `${key}.${inner.key}`, name: inner.name });
    }
  }
  return found;
}

/**
 * The key whose values match the item names of the ratings: the first of whose names the most are known. Null if no
 * entry has a name.
 */
export function bestIdentityKey(
  entries: readonly { readonly identities: readonly Identity[] }[],
  isKnown: (name: string) => boolean,
): string | null {
  const hits = new Map<string, number>();
  for (const { identities } of entries) {
    for (const { key, name } of identities) hits.set(key, (hits.get(key) ?? 0) + (isKnown(name) ? 1 : 0));
  }
  let best: string | null = null;
  for (const [key, count] of hits) if (best === null || count > (hits.get(best) ?? 0)) best = key;
  return best;
}
