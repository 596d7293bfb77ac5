import { shortfallText, type Shortfall } from "../lake/index.js";

/** The parts of an export's report that its line shows. */
export interface ExportSummary {
  readonly dir: string;
  readonly rows: number;
  readonly quarantined: number;
  /** Bytes of response bodies. */
  readonly bytes: number;
  readonly elapsed_ms: number;
}

const units = ["B", "kB", "MB", "GB", "TB"];

/** Bytes in decimal units with three digits. */
export function byteText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit] ?? ""}`;
}

export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** One line about an export: rows, bytes, time, path. */
export function exportLine({ dir, rows, quarantined, bytes, elapsed_ms }: ExportSummary): string {
  const odd = quarantined === 0 ? "" : `, ${quarantined} quarantined`;
  return `Exported ${rows} rows${odd} from ${byteText(bytes)} in ${secondsText(elapsed_ms)}: ${dir}`;
}

/** One line that says what keeps a snapshot from being whole. */
export function notWholeLine(shortfalls: readonly Shortfall[]): string {
  return `The snapshot is not whole: ${shortfallText(shortfalls)}.`;
}
