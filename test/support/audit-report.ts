import {
  auditJson,
  countVerdicts,
  type AuditReport,
  type AuditRow,
} from "../../src/audit/index.js";

export const row = (
  item: string,
  verdict: AuditRow["verdict"],
  rest: Partial<AuditRow> = {},
): AuditRow => ({
  experiment_id: "exp1",
  experiment_name: "Codecs",
  kind: "percent_chosen",
  dimension: "",
  source: "",
  published_in: "results",
  item,
  field: "value",
  published: 50,
  recomputed: verdict === "exact" ? 50 : 48,
  difference: verdict === "exact" ? 0 : 2,
  tolerance: 0,
  verdict,
  explanation: null,
  under_explanation: null,
  remaining: null,
  ...rest,
});

export const auditText = (report: AuditReport): string => [...auditJson(report)].join("");

export const reportOf = (rows: AuditRow[], rest: Partial<AuditReport> = {}): AuditReport => ({
  snapshot: "s1",
  created_at: "2026-03-01T00:00:00Z",
  summary: countVerdicts(rows),
  rows,
  findings: [],
  accepted: [],
  contradictions: [],
  left_out: [],
  unread: [],
  unread_fields: [],
  results: [],
  scales: [],
  shortfalls: [],
  correctness: {
    compared: 10,
    equal: 10,
    compared_in: { exp1: 10 },
    different: [],
    inconclusive: [],
  },
  ...rest,
});
