import { isKind, metricKind } from "../../metrics/index.js";
import { textOf, type Row, type Warehouse } from "../../warehouse/index.js";
import type { GroupKey } from "../published/index.js";
import type { AuditRow } from "./audit-row.js";

/** Why a pairwise result has nothing to be compared with; undefined if it has, or if no slate is counted at all. */
type Uncompared = (key: Pick<GroupKey, "experiment_id" | "dimension" | "kind">) => string | undefined;

const keyOf = (experiment: string, dimension: string): string => JSON.stringify([experiment, dimension]);

function sentence(row: Row): string {
  const all = Number(row.slates) === 1 ? `the only one has ${textOf(row, "reason")}` : `all ${textOf(row, "each")}`;
  return `no slate is a comparison: ${Number(row.reasons) === 1 ? all : textOf(row, "each")}`;
}

/** Reads the experiments and dimensions of which no slate is a comparison. */
export async function readUncompared(warehouse: Warehouse): Promise<Uncompared> {
  const rows = await warehouse.all(`
    select
      experiment_id, dimension,
      count(*) as reasons,
      sum(slates) as slates,
      min(skip_reason) as reason,
      string_agg(slates || if(slates = 1, ' has ', ' have ') || skip_reason, ', ' order by slates desc, skip_reason) as each
    from audit_slates
    group by experiment_id, dimension
    having not bool_or(skip_reason = '')`);
  const said = new Map(
    rows.map((row) => [keyOf(textOf(row, "experiment_id"), textOf(row, "dimension")), sentence(row)]),
  );
  return ({ experiment_id, dimension, kind }) =>
    isKind(kind) && metricKind(kind).family === "pairwise" ? said.get(keyOf(experiment_id, dimension)) : undefined;
}

/** The numbers of one result; if it has nothing to be compared with and no convention explains any, they say so. */
export function uncomparedAs(rows: readonly AuditRow[], uncompared: Uncompared): readonly AuditRow[] {
  const [first] = rows;
  const explanation = first === undefined ? undefined : uncompared(first);
  if (explanation === undefined || rows.some(({ verdict }) => verdict !== "unexplained")) return rows;
  return rows.map((row) => ({ ...row, verdict: "not_auditable", explanation }));
}
