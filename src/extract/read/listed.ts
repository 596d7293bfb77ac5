import { identifierPattern, isIdentifier } from "../../contract/index.js";
import type { Redact } from "../../platform/index.js";
import type { Misidentified } from "../../lake/index.js";

/** A row of a list from which others are read. */
export interface Listed {
  /** Its place in the list, from 0. */
  readonly element: number;
  /** Its identifier as it is written; null if there is none. */
  readonly id: string | null;
}

/** A row whose identifier a request can name. */
export type Identified<T extends Listed> = T & { readonly id: string };

/** The rows that can be asked for, each once, and the others with the reason. */
export function identify<T extends Listed>(
  rows: readonly T[],
  redact: Redact,
): { readonly identified: Identified<T>[]; readonly misidentified: Misidentified[] } {
  const first = new Map<string, Identified<T>>();
  const misidentified: Misidentified[] = [];
  for (const row of rows) {
    const { element, id } = row;
    const known = first.get(id ?? "");
    if (id === null || id === "")
      misidentified.push({ element, id: null, reason: "it has no identifier that can be read" });
    else if (!isIdentifier(id))
      misidentified.push({ element, id: redact(id), reason: `its identifier does not match ${identifierPattern}` });
    else if (redact(id) !== id)
      misidentified.push({ element, id: redact(id), reason: "its identifier repeats a secret of this export" });
    else if (known) misidentified.push({ element, id, reason: `element ${known.element} has the same identifier` });
    else first.set(id, { ...row, id });
  }
  return { identified: [...first.values()], misidentified };
}
