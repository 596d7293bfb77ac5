import { lazily, visibleData } from "../platform/index.js";
import * as audit from "./audit-table.js";
import * as diff from "./diff-table.js";
import * as findings from "./findings.js";
import * as junit from "./junit.js";
import * as lake from "./lake-text.js";
import * as markdown from "./markdown.js";
import * as status from "./status-text.js";
import * as trace from "./trace.js";

export { byteText, secondsText } from "./lake-text.js";
export { markdownHeader, markdownRows, rowsTable, renderTable, truncated, wrapped } from "./table.js";
export type { News } from "./findings.js";
export { projectStatus } from "./status-text.js";

/** The report as an HTML page. It is loaded on the first call: most commands make none. */
export const reportPage = lazily(async () => (await import("./page/page.js")).reportPage);

/** A renderer of data that may hold any text: names cannot forge a line, because their newlines are escaped first. */
const escaping =
  <Data extends unknown[], Text>(render: (...data: Data) => Text) =>
  (...data: Data): Text =>
    render(...visibleData(data));

export const checkText = escaping(status.checkText);
export const exportLine = escaping(lake.exportLine);
export const newsOf = escaping(findings.newsOf);
export const notWholeLine = escaping(lake.notWholeLine);
export const renderAudit = escaping(audit.renderAudit);
export const renderChecks = escaping(lake.renderChecks);
export const renderDiff = escaping(diff.renderDiff);
export const renderJunit = escaping(junit.renderJunit);
export const renderLeaderboards = escaping(audit.renderLeaderboards);
export const renderMarkdown = escaping(markdown.renderMarkdown);
export const renderSnapshots = escaping(lake.renderSnapshots);
export const pruningText = escaping(lake.pruningText);
/** Of an audit it takes only what it says, since the texts of all rows would be escaped too. */
export const resultLine = ({ summary, shortfalls, correctness }: audit.AuditOutcome): string =>
  escaping(audit.resultLine)({ summary, shortfalls, correctness });
export const noticeText = escaping(status.noticeText);
export const statusText = escaping(status.statusText);
export const renderTrace = escaping(trace.renderTrace);
export const renderTransform = escaping(lake.renderTransform);
export const usageText = escaping(lake.usageText);
export const verifyText = escaping(lake.verifyText);
