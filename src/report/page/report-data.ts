import type { AuditReport, AuditRow, NumberDiff, TableDiff } from "../../audit/index.js";
import type { Conventions, Kind } from "../../metrics/index.js";

/** Everything that the page shows, as plain data. The same snapshot gives the same data. */
export interface ReportData {
  readonly project: string;
  /** Version of Recount. */
  readonly version: string;
  readonly service: string;
  /** SHA-256 of the snapshot's manifest, which names the digest of every other file. */
  readonly manifestDigest: string;
  readonly audit: AuditReport;
  readonly conventions: Conventions;
  /** All experiments, most urgent first, then in the order of the service. */
  readonly experiments: readonly ExperimentData[];
  readonly checks: readonly CheckData[];
  readonly tables: readonly TableData[];
  readonly changes: ChangeData | null;
  readonly glossary: readonly GlossaryPart[];
}

export interface ExperimentData {
  readonly id: string;
  readonly name: string;
  readonly type: string | null;
  readonly state: string;
  readonly reason: string | null;
  /** The urgency of its most urgent verdict; 0 if its numbers agree. */
  readonly attention: number;
  /** Published numbers, in every list and for every source. */
  readonly numbers: number;
  readonly population: ExperimentPopulation;
  /** Null where the page shows only a summary of the experiment. */
  readonly details: ExperimentDetails | null;
}

/** What an experiment's ratings are, and how many of them count. */
export interface ExperimentPopulation {
  readonly ratings: number;
  readonly counted: number;
  readonly training: number;
  readonly incomplete: number;
  readonly unscored: number;
  readonly sessions: number;
  readonly completed: number;
  readonly raters: number;
  readonly stimuli: number;
  /** First and last day of its sessions, ISO 8601; empty without sessions. */
  readonly from: string;
  readonly to: string;
}

export interface ExperimentDetails {
  readonly boards: readonly Board[];
  readonly parts: readonly PartTable[];
  readonly pairs: readonly PairTable[];
  readonly histories: readonly SessionHistory[];
  readonly scores: readonly ScoreTable[];
  readonly raters: readonly RaterData[];
  /** How many sessions answered exactly this number of slates. */
  readonly answered: readonly { readonly slates: number; readonly sessions: number; readonly completed: number }[];
  /** Seconds between two answers of a session; null if the slates have no times. */
  readonly seconds: { readonly low: number; readonly median: number; readonly high: number } | null;
}

/** The numbers that a kind publishes for the whole experiment, in one dimension. */
export interface Board {
  readonly kind: Kind;
  readonly dimension: string;
  /** The main field. */
  readonly field: string;
  /** Where these rows are published: the first is where they are taken from, the others have no other numbers. */
  readonly places: readonly [string, ...string[]];
  /** Whether it is the kind by which the experiment is ranked. */
  readonly isMain: boolean;
  readonly rows: readonly BoardRow[];
  /** Items that `rows` leaves out. */
  readonly more: number;
  /** What the intervals are; null if the kind has none. */
  readonly interval: string | null;
  /** Numbers of other fields: how many, and those that differ. */
  readonly others: { readonly numbers: number; readonly differing: readonly AuditRow[] };
}

export interface BoardRow {
  readonly row: AuditRow;
  readonly n: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Rank interval by the Bradley-Terry model over resampled raters; in the main board only, as the next. */
  readonly ranks: { readonly best: number; readonly worst: number } | null;
  /** Lowest and highest online Elo over random orders of the sessions. */
  readonly orders: { readonly low: number; readonly high: number } | null;
}

/** Published rankings of parts of an experiment beside each other, such as one for each job. */
export interface PartTable {
  readonly dimension: string;
  readonly kind: Kind;
  readonly items: readonly string[];
  /** What is published for the whole experiment, in the order of the items; empty if nothing is. */
  readonly whole: readonly (number | null)[];
  readonly columns: readonly PartColumn[];
  /** Jobs whose ranking is that of the whole experiment. */
  readonly repeats: readonly string[];
  /** What the table leaves out. */
  readonly more: { readonly items: number; readonly columns: number };
}

export interface PartColumn {
  /** The jobs; "" for another ranking of the whole experiment. */
  readonly source: string;
  readonly places: readonly string[];
  /** Every number that is published with these. */
  readonly all: readonly Pick<AuditRow, "verdict">[];
  /** Numbers of the main field, in the order of the table's items; null where an item is missing. */
  readonly rows: readonly (AuditRow | null)[];
}

/** Comparisons of each pair of items. `share[i][j]`: percent of them that item i won, ties as half. */
export interface PairTable {
  readonly dimension: string;
  readonly items: readonly string[];
  readonly share: readonly (readonly (number | null)[])[];
  readonly n: readonly (readonly number[])[];
  readonly more: number;
}

/** Online Elo after some of the sessions, in service order. */
export interface SessionHistory {
  readonly dimension: string;
  readonly sessions: readonly number[];
  /** `ratings[i][k]`: of item i after `sessions[k]`. */
  readonly items: readonly string[];
  readonly ratings: readonly (readonly number[])[];
  readonly more: number;
}

export interface ScoreTable {
  readonly dimension: string;
  /** Distinct scores, or the lower ends of equal bins. */
  readonly scores: readonly number[];
  /** Width of a bin; 0 for distinct scores. */
  readonly width: number;
  readonly items: readonly ItemScores[];
  readonly more: number;
}

export interface ItemScores {
  readonly item: string;
  readonly counts: readonly number[];
  readonly n: number;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface RaterData {
  readonly rater: string;
  readonly ratings: number;
  readonly comparisons: number;
  /** Percent of preferences that agree with the majority of the others. */
  readonly agreement: number | null;
  /** Percent of control ratings that are correct. */
  readonly correct: number | null;
  /** Median seconds between two answers. */
  readonly seconds: number | null;
}

export interface CheckData {
  readonly name: string;
  /** What a row of it is. */
  readonly grain: string;
  readonly severity: string;
  readonly rows: number;
}

export interface TableData {
  readonly table: string;
  readonly files: number;
  readonly rows: number;
  readonly quarantined: number;
  readonly bytes: number;
}

/** What changed since the snapshot before. */
export interface ChangeData {
  readonly before: string;
  readonly unchanged: number;
  readonly changed: readonly {
    readonly table: string;
    readonly experiment: string;
    readonly before: number | null;
    readonly after: number | null;
  }[];
  readonly deleted: readonly { readonly table: string; readonly experiment: string; readonly ids: number }[];
  /** Rows by key, and recomputed numbers and ranks that moved; null for snapshots that are too large to compare so. */
  readonly diff: {
    readonly tables: readonly Pick<TableDiff, "table" | "added" | "removed" | "changed">[];
    readonly numbers: readonly (NumberDiff & { readonly experiment: string })[];
  } | null;
}

export interface GlossaryPart {
  readonly title: string;
  readonly terms: readonly { readonly term: string; readonly meaning: string }[];
}
