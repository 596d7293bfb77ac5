import { countFields, fieldsOf, isKind, type Kind } from "./kinds.js";
import type { ItemNames } from "./names.js";
import { bestIdentityKey } from "./published/identity.js";
import { precisionOf, type Precision } from "./published/precision.js";
import type { PublishedNumber, PublishedScores } from "./published/scores.js";

/** What names a set of numbers published together. */
export interface GroupKey {
  readonly experiment_id: string;
  readonly experiment_name: string;
  readonly kind: string;
  readonly dimension: string;
  readonly source: string;
}

export interface Cell {
  readonly item: string;
  readonly field: string;
  readonly published: PublishedNumber;
}

/** A published result made ready for comparison. */
export interface PublishedGroup extends GroupKey {
  readonly cells: readonly Cell[];
  /** By field: numbers of one field are rounded alike. */
  readonly precision: Readonly<Record<string, Precision>>;
  readonly options: unknown;
  readonly problems: readonly string[];
}

/** Names each entry as the ratings name their items and keeps the fields that `kind` defines. */
export function groupOf(key: GroupKey, scores: PublishedScores, options: unknown, known: ItemNames): PublishedGroup {
  const identityKey = bestIdentityKey(scores.scores, new Set([...known.names, ...known.itemOfId.keys()]));
  const defined: readonly string[] = isKind(key.kind) ? fieldsOf[key.kind] : [];
  const cells: Cell[] = [];
  for (const score of scores.scores) {
    const identity = score.identities.find((i) => i.key === identityKey) ?? score.identities[0];
    for (const field of defined) {
      const published = score.fields[field];
      if (identity && published) cells.push({ item: nameOf(identity.name, known), field, published });
    }
  }
  return { ...key, cells, precision: precisions(defined, cells), options, problems: scores.problems };
}

/** An identifier of a stimulus stands for its item, unless an item goes by that very name. */
function nameOf(published: string, { names, itemOfId }: ItemNames): string {
  return names.has(published) ? published : (itemOfId.get(published) ?? published);
}

/**
 * Precision by field. Fields published together are rounded alike, so one that happens to show only whole numbers
 * (a minimum on a scale of integers) takes the coarsest precision that the others show.
 */
function precisions(fields: readonly string[], cells: readonly Cell[]): Record<string, Precision> {
  const own = new Map<string, Precision>();
  for (const field of fields) {
    const numbers = cells.filter((c) => c.field === field).map((c) => c.published);
    if (numbers.length > 0) own.set(field, precisionOf(numbers));
  }
  const shown = [...own].filter(([field, p]) => !countFields.has(field) && p.decimals !== 0).map(([, p]) => p);
  const coarsest = shown.reduce<Precision | undefined>((a, b) => (a && a.halfWidth >= b.halfWidth ? a : b), undefined);
  return Object.fromEntries([...own].map(([field, p]) => [field, p.decimals === 0 && coarsest ? coarsest : p]));
}

/** The field that stands for an item where only one is shown. */
export function mainField(kind: Kind): string {
  return fieldsOf[kind][0] ?? "value";
}
