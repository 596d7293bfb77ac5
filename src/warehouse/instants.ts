// SQL of the instants that texts or numbers spell.
import { sqlText as text } from "../platform/index.js";
import { zonePattern } from "./parquet.js";

const zonedInstant = `^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)? ?${zonePattern}`;

/** A date, with or without a time, that states no zone. */
const unzoned = "^\\d{4}[-/]\\d\\d?[-/]\\d\\d?([T ]\\d\\d?:\\d\\d(:\\d\\d(\\.\\d+)?)?)?$";

/** In microseconds since 1970, the years 1 to 9999: others have no four digits. */
const isInYears = (microseconds: string) =>
  `${microseconds} between -62135596800000000 and 253402300799999999`;

/** Null for a local time that the zone skips in spring. */
export function inZone(local: string, zone: string): string {
  const instant = `timezone(${text(zone)}, ${local})`;
  return `case when timezone(${text(zone)}, ${instant}) = ${local} then ${instant} end`;
}

/** By default in ISO 8601 with a zone. */
interface InstantSpelling {
  /** Of instants that state none. */
  readonly zone?: string | undefined;
  /** Of numbers, since 1970. */
  readonly unit?: "s" | "ms" | undefined;
  /** As of `strptime`. */
  readonly format?: string | undefined;
}

function inAnyYear({ zone, unit, format }: InstantSpelling, cell: string): string {
  if (unit !== undefined) {
    const microseconds =
      `try_cast(try_cast(${cell} as decimal(24, 6)) * ${unit === "ms" ? 1000 : 1_000_000} as ` +
      "bigint)";
    return `case when ${isInYears(microseconds)} then make_timestamptz(${microseconds}) end`;
  }
  if (format !== undefined) {
    // Without digits are names of instants that the engine knows, such as epoch.
    const read =
      `case when regexp_matches(${cell}, '\\d') then try_strptime(${cell}, ${text(format)}) ` +
      "end";
    const statesZone = /%z/i.test(format.replaceAll("%%", ""));
    return statesZone ? read : inZone(read, zone ?? "UTC");
  }
  const stated =
    `case when regexp_matches(upper(${cell}), ${text(zonedInstant)}) then ` +
    `try_cast(upper(${cell}) as timestamptz) end`;
  if (zone === undefined) return stated;
  const local =
    `case when regexp_matches(${cell}, ${text(unzoned)}) then try_cast(${cell} as timestamp) ` +
    "end";
  return `coalesce(${stated}, ${inZone(local, zone)})`;
}

/** Null for any other text. */
export function instantSql(spelling: InstantSpelling, cell: string): string {
  const instant = inAnyYear(spelling, cell);
  return `case when ${isInYears(`epoch_us(${instant})`)} then ${instant} end`;
}
