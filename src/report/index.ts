import { visibleData } from "../platform/index.js";
import * as audit from "./audit-table.js";
import * as diffs from "./diff-table.js";
import * as exported from "./export-line.js";
import * as checks from "./check-text.js";
import * as boards from "./leaderboards.js";
import * as junit from "./junit.js";
import * as markdown from "./markdown.js";
import * as snapshots from "./snapshots-table.js";
import * as statuses from "./status-text.js";
import * as traces from "./trace.js";
import * as transforms from "./transform-table.js";
import * as usages from "./usage-text.js";
import * as verified from "./verify-text.js";

export { byteText, secondsText } from "./export-line.js";
export { markdownHeader, markdownRows, rowsTable } from "./rows-table.js";
export { projectStatus } from "./status-text.js";
export { renderTable, truncated } from "./table.js";

/** The report as an HTML page. It is loaded on the first call: most commands make none. */
export const reportPage: typeof import("./page/index.js").reportPage = async (...args) =>
  (await import("./page/index.js")).reportPage(...args);

/** The browser of this machine that prints an HTML file as PDF. */
export const findBrowser: typeof import("./page/index.js").findBrowser = async () =>
  (await import("./page/index.js")).findBrowser();

/** A renderer of data that may hold any text: names cannot forge a line, because their newlines are escaped first. */
const escaping =
  <Data extends unknown[], Text>(render: (...data: Data) => Text) =>
  (...data: Data): Text =>
    render(...visibleData(data));

export const checkText = escaping(checks.checkText);
export const exportLine = escaping(exported.exportLine);
export const notWholeLine = escaping(exported.notWholeLine);
export const renderAudit = escaping(audit.renderAudit);
export const renderChecks = escaping(transforms.renderChecks);
export const renderDiff = escaping(diffs.renderDiff);
export const renderJunit = escaping(junit.renderJunit);
export const renderLeaderboards = escaping(boards.renderLeaderboards);
export const renderMarkdown = escaping(markdown.renderMarkdown);
export const renderSnapshots = escaping(snapshots.renderSnapshots);
export const pruningText = escaping(usages.pruningText);
/** Of an audit it takes only what it says, since the texts of all rows would be escaped too. */
export const resultLine = ({ summary, shortfalls, correctness }: audit.Outcome): string =>
  escaping(audit.resultLine)({ summary, shortfalls, correctness });
export const migrationText = escaping(usages.migrationText);
export const noticeText = escaping(statuses.noticeText);
export const statusText = escaping(statuses.statusText);
export const renderTrace = escaping(traces.renderTrace);
export const renderTransform = escaping(transforms.renderTransform);
export const usageText = escaping(usages.usageText);
export const verifyText = escaping(verified.verifyText);
