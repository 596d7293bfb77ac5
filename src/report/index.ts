/**
 * What Recount tells people: text for the console, Markdown and JUnit XML, and the page. Control
 * characters are escaped.
 */
import { lazily } from "../platform/index.js";

export { renderAudit, renderLeaderboards, resultLine } from "./audit-table.js";
export { renderDiff, renderMethodDiff } from "./diff-table.js";
export { column, tabled } from "./document.js";
export { newsOf, type News } from "./findings.js";
export { renderJunit } from "./junit.js";
export {
  byteText,
  exportLine,
  notWholeLine,
  pruningText,
  renderChecks,
  renderSnapshots,
  renderTransform,
  secondsText,
  verifyText,
} from "./lake-text.js";
export { renderMarkdown } from "./markdown.js";
export { withFixed } from "./numbers.js";
export { checkText, noticeText, projectStatus, statusText } from "./status-text.js";
export { markdownHeader, markdownRows, printed, renderTable, rowsTable, wrapped } from "./table.js";
export { renderTrace } from "./trace.js";

// What a pack makes its part of the page of.
export type { Ranking } from "./page/boards.js";
export { html, listOfLines, type Html } from "./page/html.js";
export type { Statement, StatementsOf } from "./page/report-data.js";
export { dimensionIn, namesInQueries, rowsBy, type OfDimension } from "./page/rows.js";

/** The report as an HTML page. It is loaded on the first call: most commands make none. */
export const reportPage = lazily(async () => (await import("./page/page.js")).makePage);
