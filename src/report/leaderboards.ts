import type { AuditReport, AuditRow } from "../audit/index.js";
import { kinds, mainField, metricKind } from "../metrics/index.js";
import { columnOfNumbers, verdictText } from "./numbers.js";
import { renderTable, truncated } from "./table.js";

/** The kinds that rank the items of an experiment, preferred first. */
const ranking = kinds
  .filter((kind) => metricKind(kind).ranks !== undefined)
  .toSorted((a, b) => (metricKind(a).ranks ?? 0) - (metricKind(b).ranks ?? 0));

interface LeaderboardTable {
  readonly experiment_id: string;
  readonly experiment_name: string;
  readonly dimension: string;
  readonly kind: string;
  /** Best first, by the recomputed number. */
  readonly rows: readonly AuditRow[];
}

/** One leaderboard per experiment and dimension, from the preferred kind that it publishes. */
function leaderboardsOf(report: AuditReport): LeaderboardTable[] {
  const boards = new Map<string, AuditRow[]>();
  for (const row of report.rows) {
    const isMain = ranking.some((kind) => kind === row.kind && mainField(kind) === row.field);
    if (!isMain || row.source !== "" || row.published_in !== "results") continue;
    const key = JSON.stringify([row.experiment_id, row.dimension]);
    const board = boards.get(key);
    if (board) board.push(row);
    else boards.set(key, [row]);
  }
  return [...boards.values()].flatMap((all) => {
    const kind = ranking.find((k) => all.some((row) => row.kind === k));
    const rows = all
      .filter((row) => row.kind === kind)
      .toSorted((a, b) => (b.recomputed ?? -Infinity) - (a.recomputed ?? -Infinity));
    const [first] = rows;
    if (first === undefined || kind === undefined) return [];
    const { experiment_id, experiment_name, dimension } = first;
    return [{ experiment_id, experiment_name, dimension, kind, rows }];
  });
}

/** Each leaderboard as a table: rank, item, published and recomputed number. */
export function renderLeaderboards(report: AuditReport, limit = 10): string {
  return leaderboardsOf(report)
    .map((board) => {
      const { shown, more } = truncated(board.rows, limit);
      const published = columnOfNumbers(shown.map((row) => row.published));
      const recomputed = columnOfNumbers(shown.map((row) => row.recomputed));
      const table = renderTable(
        [
          { head: "#", align: "right" },
          { head: "item" },
          { head: "published", align: "right" },
          { head: "recomputed", align: "right" },
          { head: "verdict" },
        ],
        shown.map((row, i) => [
          String(i + 1),
          row.item,
          published[i] ?? "",
          recomputed[i] ?? "",
          verdictText(row.verdict),
        ]),
      );
      const title = `${board.experiment_name || board.experiment_id}${board.dimension === "" ? "" : `, ${board.dimension}`}: ${board.kind}`;
      return [title, "", table, ...(more === null ? [] : [more]), ""].join("\n");
    })
    .join("\n");
}
