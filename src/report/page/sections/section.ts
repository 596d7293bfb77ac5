import type { Html } from "../html.js";
import type { ReportData } from "../data/index.js";

/** One question of the page and its answer. */
export interface Section {
  readonly id: string;
  /** The heading: a question. */
  readonly title: string;
  readonly render: (data: ReportData) => Html | Promise<Html>;
}
