import type { AuditReport, AuditRow } from "../../audit/index.js";
import type { Conventions, Kind } from "../../metrics/index.js";
import type { ChangeData } from "./changes.js";
import type { Html } from "./html.js";
import type { StatisticsData } from "./statistics-data.js";
import type { PairTable, ScoreTable, SessionHistory } from "./plot-data.js";

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
  /** Empty if statistics were not computed. */
  readonly statistics: readonly StatisticsData[];
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
  /** Its name in a sentence. */
  readonly title: string;
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

export interface GlossaryPart {
  readonly title: string;
  readonly terms: readonly { readonly term: string; readonly meaning: string }[];
}

/** One question of the page and its answer. */
export interface Section {
  readonly id: string;
  /** The heading: a question. */
  readonly title: string;
  readonly render: (data: ReportData) => Html;
}
