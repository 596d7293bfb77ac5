/** What keeps a snapshot from being whole. */
import { isRequired, lakeTable, type OperationName, tableNames } from "../contract/index.js";
import { counted, firstFew, joinParts } from "../platform/index.js";
import type { Manifest, Part, RowCheck, Unit } from "./manifest-schema.js";

const shortfallTexts = {
  experiment: (n: number) => counted(n, "torn or incomplete experiment"),
  torn: (n: number) => `${counted(n, "torn list")} of published numbers`,
  vanished: (n: number) => `${counted(n, "published result")} fewer than before`,
  misidentified: (n: number) =>
    `${counted(n, "row")} without an identifier of ${n === 1 ? "its" : "their"} own`,
  quarantined: (n: number) => `${counted(n, "row")} in quarantine`,
  refused: (n: number) => counted(n, "refused request"),
  checks: (n: number) => `${counted(n, "violation")} of the data's rules`,
} as const;

export const shortfallKinds = Object.keys(
  shortfallTexts,
) as readonly (keyof typeof shortfallTexts)[];

export interface Shortfall {
  readonly kind: keyof typeof shortfallTexts;
  readonly experiment_id: string | null;
  /** Experiments, lists, rows or requests. */
  readonly count: number;
  readonly message: string;
}

const ofExperiment = (id: string | null) => (id === null ? "" : ` of ${id}`);

const details = new Set<OperationName>(
  tableNames.flatMap((name) => lakeTable(name).detailOperation ?? []),
);

/** What the service refused although it answered others like it, or an experiment needs. */
function refusedUnits(units: readonly Unit[]): Unit[] {
  const answered = new Set(
    units.filter(({ state }) => state === "complete").map(({ operation }) => operation),
  );
  return units.filter(
    ({ operation, state, parameters }) =>
      state !== "complete" &&
      (details.has(operation) ||
        (parameters.source === undefined
          ? answered.has(operation) && !isRequired(operation)
          : state === "not_permitted")),
  );
}

const shownResults = 10;

function vanishedNames({ count, results }: NonNullable<Unit["vanished"]>): string {
  const shown = results.slice(0, shownResults);
  const more = count - shown.length;
  return [...shown, ...(more > 0 ? [`${more}${shown.length > 0 ? " more" : ""}`] : [])].join("; ");
}

const requestText = ({ operation, parameters }: Unit) =>
  [operation, ...Object.values(parameters)].join(" ");

const shortfall = (
  kind: Shortfall["kind"],
  experiment_id: string | null,
  message: string,
  affected = 1,
): Shortfall => ({ kind, experiment_id, count: affected, message });

/** "1 row of ratings in quarantine: score is not a finite number (FILE)". */
export function quarantinedText({ table, quarantined, reasons = [], quarantine }: Part): string {
  const why = joinParts([" in quarantine", firstFew(reasons, 4)], ": ");
  return `${counted(quarantined, "row")} of ${table}${why} (${quarantine ?? ""})`;
}

export function shortfallsOf({
  experiments,
  units,
  checks = [],
}: Pick<Manifest, "experiments" | "units" | "checks">): Shortfall[] {
  const unsettled = experiments
    .filter(({ state }) => state !== "complete")
    .map(({ id, name, state, reason }) => {
      const message =
        `${name || "The experiment"} (${id}) is ${state}: ` +
        `${reason ?? "no reason is recorded"}.`;
      return shortfall("experiment", id, message);
    });
  const quarantined = units.flatMap(({ operation, experiment_id: id, parts }) =>
    parts
      .filter((part) => part.quarantined > 0)
      .map((part) => {
        const message = `${operation}${ofExperiment(id)}: ${quarantinedText(part)}.`;
        return shortfall("quarantined", id, message, part.quarantined);
      }),
  );
  const refused = refusedUnits(units).map((unit) => {
    const { experiment_id: id, status } = unit;
    const asked = `${requestText(unit)}${ofExperiment(id)}`;
    const message = `${asked}: the service refused the request (${status}).`;
    return shortfall("refused", id, message);
  });
  const misidentified = units.flatMap(({ operation, experiment_id: of, misidentified: own = [] }) =>
    own.map(({ element, id, reason }) => {
      const named = id === null ? "" : ` (${id})`;
      const message =
        `${operation}${ofExperiment(of)}: nothing was read for element ${element}${named}: ` +
        `${reason}.`;
      return shortfall("misidentified", of, message);
    }),
  );
  const torn = units
    .filter(({ is_torn }) => is_torn)
    .map((unit) =>
      shortfall(
        "torn",
        null,
        `${requestText(unit)} is torn: its numbers changed twice during the export.`,
      ),
    );
  const vanished = units.flatMap((unit) => {
    const { experiment_id: id, vanished: lost } = unit;
    if (lost === undefined) return [];
    const missing =
      `${counted(lost.count, "published result")} of the previous snapshot ` +
      `${lost.count === 1 ? "is" : "are"} missing`;
    return [
      shortfall(
        "vanished",
        id,
        `${requestText(unit)}${ofExperiment(id)}: ${missing}: ${vanishedNames(lost)}.`,
        lost.count,
      ),
    ];
  });
  return [
    ...unsettled,
    ...torn,
    ...vanished,
    ...misidentified,
    ...quarantined,
    ...refused,
    ...failedChecks(checks),
  ];
}

export function shortfallText(shortfalls: readonly Shortfall[]): string {
  return (Object.keys(shortfallTexts) as Shortfall["kind"][])
    .flatMap((kind) => {
      const own = shortfalls.filter((shortfall) => shortfall.kind === kind);
      return own.length === 0
        ? []
        : shortfallTexts[kind](own.reduce((sum, { count }) => sum + count, 0));
    })
    .join(", ");
}

export const failedChecks = (checks: readonly RowCheck[]): Shortfall[] =>
  checks
    .filter(({ severity, rows }) => severity === "error" && rows > 0)
    .map(({ name, rows }) =>
      shortfall("checks", null, `The data check ${name} found ${counted(rows, "row")}.`, rows),
    );
