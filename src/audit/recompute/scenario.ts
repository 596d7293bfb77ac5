/** A scenario: which ratings count, how they are scored, and how the result is published. */
import {
  conventionsWith,
  metricKind,
  scaledNoise,
  scaledStop,
  type Conventions,
  type ConventionsInput,
  type Kind,
  type Table,
  type UnitChoice,
} from "../../metrics/index.js";
import { inServiceOrder, populationKey, type Population } from "./population.js";

export interface Rescaling {
  readonly scale: number;
  readonly shift: number;
}

export interface Relative {
  readonly to: string | null;
  readonly as: "difference" | "percent";
  readonly shown: number;
}

export interface Scenario {
  readonly population: Population;
  readonly conventions: Conventions;
  readonly forms: readonly string[];
  readonly relative: Relative | null;
  readonly rescaled: Rescaling | null;
  readonly rounding: Rounding;
  /** As stated; null: as the numbers show it. */
  readonly unit: UnitChoice | null;
}

export function ownScenario(conventions: Conventions, dimension: string, source: string): Scenario {
  return {
    conventions,
    population: {
      training: conventions.training,
      incomplete: conventions.incomplete,
      incorrect: conventions.incorrect,
      screen: "exclude",
      job: source === "" ? null : source,
      left_out: null,
      dimension,
      item: "own",
      order: "service",
      first_sessions: null,
      repeats: "all",
      pairs: conventions.pairs,
      itself: "own",
      weights: "stated",
    },
    forms: [],
    relative: null,
    rescaled: null,
    rounding: "nearest",
    unit: null,
  };
}

export interface ScenarioPatch {
  readonly population?: Partial<Population>;
  readonly conventions?: ConventionsInput;
  readonly form?: string;
  readonly relative?: Relative;
  readonly rescaled?: Rescaling;
  readonly rounding?: Rounding;
  readonly unit?: UnitChoice;
}

export const isSameScenario = (a: Scenario, b: Scenario): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export function patched(scenario: Scenario, patch: ScenarioPatch): Scenario {
  const { population, conventions, form, ...others } = patch;
  return {
    ...scenario,
    ...others,
    conventions: conventions
      ? conventionsWith(conventions, scenario.conventions)
      : scenario.conventions,
    population: population ? { ...scenario.population, ...population } : scenario.population,
    forms: form === undefined ? scenario.forms : [...new Set([...scenario.forms, form])],
  };
}

export function scenarioKey(name: Kind, { population, conventions, forms }: Scenario): string {
  const kind = metricKind(name);
  const counted = kind.orderModel !== undefined ? population : inServiceOrder(population);
  const decided = JSON.stringify(kind.decidedBy(conventions));
  return `${name}:${populationKey(counted)}:${decided}:${forms.join()}`;
}

/** Fields on the scale of scores, with their replacements on a reversed scale. */
const locations: Readonly<Record<string, string>> = Object.fromEntries([
  ...["value", "mean", "median", "p005", "p025", "p05", "p50", "p95", "p975", "p995"].map(
    (field) => [field, field],
  ),
  ...[
    ["ci_low", "ci_high"],
    ["min", "max"],
    ["q1", "q3"],
  ].flatMap(([low, high]) => [
    [low, high],
    [high, low],
  ]),
]) as Record<string, string>;

const widths: ReadonlySet<string> = new Set(["std", "sem", "half_width"]);

/** By values of `field`; NaN if the item has none. Draws are relative to it too. */
function relativeTo(table: Table, field: string, { to, as, shown }: Relative): Table {
  const values = table.columns[field] ?? new Float64Array();
  const highest = values.reduce((most, v) => (v > most ? v : most), -Infinity);
  const row = to === null ? values.indexOf(highest) : table.items.indexOf(to);
  const reference = values[row] ?? NaN;
  const drawn = row === -1 ? undefined : table.held?.(row);
  const { stopped } = table;
  const reach = stopped?.reach.map((reach, i, all) => (i === row ? 0 : reach + all[row]!));
  return rescaled(
    {
      ...table,
      ...drawn,
      columns: { ...table.columns, ...drawn?.columns },
      ...(stopped && reach && { stopped: { ...stopped, reach } }),
    },
    as === "percent"
      ? { scale: shown / reference, shift: 0 }
      : { scale: 1, shift: shown - reference },
  );
}

export function shownAs({ relative, rescaled: map }: Scenario, table: Table, main: string): Table {
  const shown = relative === null ? table : relativeTo(table, main, relative);
  return map === null ? shown : rescaled(shown, map);
}

function rescaled({ items, columns, noise, stopped }: Table, { scale, shift }: Rescaling): Table {
  const entries = Object.entries(columns).map(([field, column]): [string, Float64Array] => {
    if (widths.has(field)) return [field, column.map((v) => Math.abs(scale) * v)];
    const opposite = locations[field];
    if (opposite === undefined) return [field, column];
    const shown = scale < 0 ? (columns[opposite] ?? column) : column;
    return [field, shown.map((v) => shift + scale * v)];
  });
  return {
    items,
    columns: Object.fromEntries(entries),
    ...(noise && { noise: scaledNoise(noise, scale) }),
    ...(stopped && { stopped: scaledStop(stopped, scale) }),
  };
}

/** How decimals beyond the published ones are removed. */
export type Rounding = "nearest" | "truncate";
