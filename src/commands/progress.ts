import cliProgress from "cli-progress";
import { systemClock, type Clock, createLog } from "../platform/index.js";
import type { Display } from "../pipeline/index.js";
import { byteText, secondsText } from "../report/index.js";
import { consoleLog, isJson, isQuiet, levelOf, textOf, type LogOptions } from "./console.js";

const format = "{bar} {value}/{total} experiments | {rows} rows | {bytes} | {rate}/s {left}";

/**
 * Shows a progress bar on a terminal, below the log lines, and only log lines elsewhere. Quiet and JSON logs show none.
 */
export function exportProgress(options: LogOptions, clock: Clock = systemClock): Display {
  const started = clock.monotonicMs();
  if (!process.stderr.isTTY || isQuiet() || isJson()) {
    return { log: consoleLog(options), onProgress: () => undefined, stop: () => undefined };
  }
  const bars = new cliProgress.MultiBar(
    { format, stream: process.stderr, hideCursor: true, clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  );
  const bar = bars.create(1, 0, { rows: 0, bytes: "0 B", rate: "0 B", left: "" });
  return {
    log: createLog((event) => bars.log(`${textOf(event)}\n`), levelOf(options)),
    onProgress({ experiments, done, rows, bytes }) {
      bar.setTotal(Math.max(1, experiments));
      const elapsed = Math.max(1, clock.monotonicMs() - started);
      const left = done === 0 ? "" : ` | ${secondsText((elapsed * (experiments - done)) / done)} left`;
      bar.update(done, { rows, bytes: byteText(bytes), rate: byteText(Math.round((bytes * 1000) / elapsed)), left });
    },
    stop: () => bars.stop(),
  };
}
