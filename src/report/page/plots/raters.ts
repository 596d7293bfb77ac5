import type { Html } from "../html.js";
import type { ExperimentDetails, RaterData } from "../data/index.js";
import { draw } from "./draw.js";
import { plotWidth } from "./theme.js";

/** Each rater's agreement (or correctness, where nothing is compared) over speed. Null with too few raters. */
export function raterPlot(raters: readonly RaterData[]): Promise<Html> | null {
  const field = raters.some(({ agreement }) => agreement !== null) ? "agreement" : "correct";
  const title = field === "agreement" ? "agreement with the majority, %" : "correct control ratings, %";
  const values = raters.flatMap(({ [field]: share, seconds, ratings }) =>
    share === null || seconds === null ? [] : [{ share: round(share), seconds: round(seconds), ratings }],
  );
  if (values.length < 3) return null;
  const low = Math.min(...values.map(({ share }) => share));
  return draw(
    {
      width: plotWidth,
      height: 190,
      data: { values },
      mark: { type: "circle", size: 34, color: "var(--dot)", opacity: 0.55 },
      encoding: {
        x: {
          ...{
            field: "seconds",
            type: "quantitative",
            title: "median seconds between answers",
            axis: { tickCount: 5, grid: false },
          },
          scale: { zero: false, nice: true, padding: 6 },
        },
        y: {
          ...{ field: "share", type: "quantitative", title, axis: { tickCount: 5 } },
          scale: { domain: [Math.max(0, Math.floor(low / 10) * 10), 100], nice: false, padding: 4 },
        },
      },
    },
    {
      title: `Raters: ${field === "agreement" ? "agreement" : "correctness"} and speed`,
      says: `${values.length} raters; the lowest ${field === "agreement" ? "agreement" : "share correct"} is ${Math.round(low)} %.`,
    },
  );
}

/** How many sessions answered at least a number of slates. Null if every session answered the same number. */
export function dropOutPlot(answered: ExperimentDetails["answered"]): Promise<Html> | null {
  const sessions = answered.reduce((sum, each) => sum + each.sessions, 0);
  const most = answered.at(-1)?.slates ?? 0;
  if (sessions === 0 || most === 0 || answered.length < 2) return null;
  const left = (slates: number): number =>
    answered.filter((each) => each.slates >= slates).reduce((sum, each) => sum + each.sessions, 0);
  const steps = [0, ...answered.map(({ slates }) => slates)].flatMap((slates) => [
    { slates, share: round((100 * left(slates)) / sessions) },
  ]);
  const completed = answered.reduce((sum, each) => sum + each.completed, 0);
  return draw(
    {
      width: plotWidth,
      height: 190,
      data: { values: steps },
      mark: { type: "line", interpolate: "step-before", color: "var(--dot)", strokeWidth: 2 },
      encoding: {
        x: {
          field: "slates",
          type: "quantitative",
          title: "slates answered",
          axis: { grid: false, tickCount: 6 },
          scale: { domain: [0, most], nice: false },
        },
        y: {
          field: "share",
          type: "quantitative",
          title: "sessions still answering, %",
          axis: { tickCount: 5 },
          scale: { domain: [0, 100] },
        },
      },
    },
    {
      title: "Drop-out",
      says: `${completed} of ${sessions} sessions were completed; the longest answered ${most} slates.`,
    },
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;
