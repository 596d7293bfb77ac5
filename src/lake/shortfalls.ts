import { isRequired, lakeTable, type OperationName, tableNames } from "../contract/index.js";
import { counted } from "../platform/index.js";
import type { Manifest, Unit } from "./manifest.js";

/** What each kind of shortfall counts, for a summary of them. */
const kinds = {
  experiment: (n: number) => counted(n, "torn or incomplete experiment"),
  torn: (n: number) => `${counted(n, "torn list")} of published numbers`,
  vanished: (n: number) => `${counted(n, "published result")} fewer than before`,
  misidentified: (n: number) => `${counted(n, "row")} without an identifier of ${n === 1 ? "its" : "their"} own`,
  quarantined: (n: number) => `${counted(n, "row")} in quarantine`,
  refused: (n: number) => counted(n, "refused request"),
  checks: (n: number) => `${counted(n, "violation")} of the data's rules`,
} as const;

export const shortfallKinds = Object.keys(kinds) as readonly (keyof typeof kinds)[];

/** Something that the service holds and the snapshot lacks, or does not hold as of one moment. */
export interface Shortfall {
  readonly kind: keyof typeof kinds;
  readonly experiment_id: string | null;
  /** Experiments, lists, rows or requests. */
  readonly count: number;
  /** One sentence. */
  readonly message: string;
}

const ofExperiment = (id: string | null) => (id === null ? "" : ` of ${id}`);

const details = new Set<OperationName>(tableNames.flatMap((name) => lakeTable(name).detailOperation ?? []));

/**
 * Requests that the service refused although it answered others like it. A list that it never answers is one that the
 * key may not read, or that the service lacks; without a required one its experiment is incomplete. A source that the
 * service does not know has no published numbers.
 */
function refusedUnits(units: readonly Unit[]): Unit[] {
  const answered = new Set(units.filter(({ state }) => state === "complete").map(({ operation }) => operation));
  return units.filter(
    ({ operation, state, parameters }) =>
      state !== "complete" &&
      (details.has(operation) ||
        (parameters.source === undefined
          ? answered.has(operation) && !isRequired(operation)
          : state === "not_permitted")),
  );
}

/** Results that a message names. */
const shownResults = 10;

function namesOf({ count, results }: NonNullable<Unit["vanished"]>): string {
  const shown = results.slice(0, shownResults);
  const more = count - shown.length;
  return [...shown, ...(more > 0 ? [`${more}${shown.length > 0 ? " more" : ""}`] : [])].join("; ");
}

/** Everything that keeps a snapshot from being whole; empty when it is whole. */
export function shortfallsOf({ experiments, units }: Pick<Manifest, "experiments" | "units">): Shortfall[] {
  const unsettled = experiments
    .filter(({ state }) => state !== "complete")
    .map(({ id, name, state, reason }) => ({
      kind: "experiment" as const,
      experiment_id: id,
      count: 1,
      message: `${name || "The experiment"} (${id}) is ${state}: ${reason ?? "no reason is recorded"}.`,
    }));
  const quarantined = units.flatMap(({ operation, experiment_id, parts }) =>
    parts
      .filter((part) => part.quarantined > 0)
      .map((part) => ({
        kind: "quarantined" as const,
        experiment_id,
        count: part.quarantined,
        message: `${operation}${ofExperiment(experiment_id)}: ${counted(part.quarantined, "row")} of ${part.table} in quarantine; see ${part.quarantine ?? ""}.`,
      })),
  );
  const refused = refusedUnits(units).map(({ operation, experiment_id, parameters, status }) => ({
    kind: "refused" as const,
    experiment_id,
    count: 1,
    message: `${[operation, ...Object.values(parameters)].join(" ")}${ofExperiment(experiment_id)}: the service refused the request (${status}).`,
  }));
  const misidentified = units.flatMap(({ operation, experiment_id, misidentified: own = [] }) =>
    own.map(({ element, id, reason }) => ({
      kind: "misidentified" as const,
      experiment_id,
      count: 1,
      message: `${operation}${ofExperiment(experiment_id)}: nothing was read for element ${element}${id === null ? "" : ` (${id})`}: ${reason}.`,
    })),
  );
  const torn = units
    .filter(({ is_torn }) => is_torn)
    .map(({ operation, parameters }) => ({
      kind: "torn" as const,
      experiment_id: null,
      count: 1,
      message: `${[operation, ...Object.values(parameters)].join(" ")} is torn: its numbers changed twice during the export.`,
    }));
  const vanished = units.flatMap(({ operation, experiment_id, parameters, vanished: lost }) =>
    lost === undefined
      ? []
      : {
          kind: "vanished" as const,
          experiment_id,
          count: lost.count,
          message: `${[operation, ...Object.values(parameters)].join(" ")}${ofExperiment(experiment_id)}: ${counted(lost.count, "published result")} of the previous snapshot ${lost.count === 1 ? "is" : "are"} missing: ${namesOf(lost)}.`,
        },
  );
  return [...unsettled, ...torn, ...vanished, ...misidentified, ...quarantined, ...refused];
}

/** The shortfalls in one clause, for example "1 torn or incomplete experiment, 3 rows in quarantine". */
export function shortfallText(shortfalls: readonly Shortfall[]): string {
  return (Object.keys(kinds) as Shortfall["kind"][])
    .flatMap((kind) => {
      const own = shortfalls.filter((shortfall) => shortfall.kind === kind);
      return own.length === 0 ? [] : kinds[kind](own.reduce((sum, { count }) => sum + count, 0));
    })
    .join(", ");
}

/** Data that break a rule are not what the service holds, or what it holds contradicts itself: the snapshot is not whole. */
export const failedChecks = (
  checks: readonly { readonly name: string; readonly severity: string; readonly rows: number }[],
): Shortfall[] =>
  checks
    .filter(({ severity, rows }) => severity === "error" && rows > 0)
    .map(({ name, rows }) => ({
      kind: "checks",
      experiment_id: null,
      count: rows,
      message: `The data check ${name} found ${counted(rows, "row")}.`,
    }));
