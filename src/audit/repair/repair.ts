import type { Table } from "../../metrics/index.js";
import { listed } from "../../platform/index.js";
import type { Alteration } from "../ratings/index.js";
import type { UnitName } from "./influence/index.js";

/** A change to the published numbers of some items. */
export type ItemChange = "items" | "exchanged" | "renamed" | "copied" | "merged" | "missing" | "shifted" | "scaled";

/** The smallest change found that makes the published numbers match. */
export interface Repair {
  /** A change to the published numbers of some items, or to the ratings of some sessions, raters or slates. */
  readonly change: ItemChange | "stale" | Alteration;
  readonly unit: "item" | UnitName;
  /** Identifiers of what is changed. */
  readonly ids: readonly string[];
  /** Other changes of the same size that match as well, up to 1000; coarse numbers may not tell them apart. */
  readonly alternatives: number;
  /** Conventions that differ from the run's own and have to be assumed as well, as `name=value`. */
  readonly under?: string;
  /** A clause in plain words, without a capital or a full stop. */
  readonly says: string;
}

/** A repair with the numbers that it gives; null if it says nothing about them. */
export interface FoundRepair extends Repair {
  readonly gives: Table | null;
}

/** The verb of a field: "the n is", "the wins are". */
export const isOrAre = (field: string): string => (field.endsWith("s") ? "are" : "is");

/** "a, b and c"; at most five names. */
export function listOf(names: readonly string[]): string {
  return listed(names.length > 5 ? [...names.slice(0, 5), `${names.length - 5} more`] : names);
}
