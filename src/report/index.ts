/**
 * What Recount tells people: text for the console, Markdown and JUnit XML, and the page. Control
 * characters are escaped.
 */
import { lazily } from "../platform/index.js";

export { renderAudit, resultLine } from "./audit-table.js";
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
export { checkText, noticeText, projectStatus, statusText } from "./status-text.js";
export { markdownHeader, markdownRows, printed, renderTable, rowsTable, wrapped } from "./table.js";
export { renderTrace } from "./trace.js";

export type { StatisticsQueries } from "./page/data.js";

/** The report as an HTML page. It is loaded on the first call: most commands make none. */
export const reportPage = lazily(async () => (await import("./page/page.js")).makePage);
