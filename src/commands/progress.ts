/** The progress bar on a terminal. */
import cliProgress from "cli-progress";
import { systemClock, type Clock, createLog } from "../platform/index.js";
import type { Display } from "../pipeline/index.js";
import { byteText, secondsText } from "../report/index.js";
import {
  consoleLog,
  isJson,
  isQuiet,
  levelOf,
  logText,
  writeEvent,
  type LogOptions,
} from "./console.js";

const barFormats = {
  export: "{bar} {value}/{total} experiments | {rows} rows | {bytes} | {rate}/s{left}",
  cluster: "{bar} {value}/{total} tasks | {model}",
};

interface Shown {
  readonly format: keyof typeof barFormats;
  readonly bars: cliProgress.MultiBar;
  readonly bar: cliProgress.SingleBar;
}

/** Only log lines where there is no terminal. Quiet and JSON logs show no bar. */
export function showProgress(
  options: LogOptions = { verbose: false, "log-format": "text" },
  clock: Clock = systemClock,
): Display {
  const started = clock.monotonicMs();
  if (!process.stderr.isTTY || isQuiet() || isJson()) {
    const nothing = () => undefined;
    return { log: consoleLog(options), onProgress: nothing, onTasks: nothing, stop: nothing };
  }
  let shown: Shown | undefined;
  function stop(): void {
    // The bar writes log lines when it is drawn, and none of those that wait when it is stopped.
    shown?.bars.update();
    shown?.bars.stop();
    shown = undefined;
  }
  function draw(
    format: keyof typeof barFormats,
    done: number,
    total: number,
    texts: Record<string, string | number>,
  ): void {
    if (shown?.format !== format) {
      stop();
      const bars = new cliProgress.MultiBar(
        {
          format: barFormats[format],
          stream: process.stderr,
          hideCursor: true,
          clearOnComplete: true,
        },
        cliProgress.Presets.shades_classic,
      );
      shown = { format, bars, bar: bars.create(Math.max(1, total), done, texts) };
      return;
    }
    shown.bar.setTotal(Math.max(1, total));
    shown.bar.update(done, texts);
  }
  return {
    log: createLog(
      (event) => (shown === undefined ? writeEvent(event) : shown.bars.log(`${logText(event)}\n`)),
      levelOf(options),
    ),
    onProgress({ experiments, done, rows, bytes }) {
      const elapsed = Math.max(1, clock.monotonicMs() - started);
      const left =
        done === 0 ? "" : ` | ${secondsText((elapsed * (experiments - done)) / done)} left`;
      const rate = byteText(Math.round((bytes * 1000) / elapsed));
      draw("export", done, experiments, { rows, bytes: byteText(bytes), rate, left });
    },
    onTasks: ({ model, done, tasks }) => draw("cluster", done, tasks, { model }),
    stop,
  };
}
