import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditExitCode, auditLake, type AuditReport } from "../../src/audit/index.js";
import { startEmulator, type FaultRule, type RunningEmulator } from "../../src/emulator/index.js";
import { textOf } from "../../src/warehouse/index.js";
import { audit, golden, publish, publishIn } from "../support/audit/published-case.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";

describe("numbers of an experiment with rows in quarantine", () => {
  let service: RunningEmulator;
  beforeAll(async () => {
    service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  });
  afterAll(() => service.close());

  async function audited(rule: FaultRule): Promise<AuditReport> {
    const lake = temporaryLake();
    service.faults.set([rule]);
    await exportTo(lake, service);
    const { report, warehouse } = await auditLake(lake, service.projectId, {
      limits: { work: 0 },
      models: "audited",
    });
    warehouse.close();
    rmSync(lake, { recursive: true });
    return report;
  }

  const unfit = (
    operation: NonNullable<FaultRule["operation"]>,
    row: number,
    field: string,
  ): FaultRule => ({
    operation,
    fault: { kind: "wrong_type", row, field },
  });

  const zoned = (field: string) => `${field} is not an instant with a zone`;
  const tables: [string, FaultRule, string][] = [
    ["ratings", unfit("listRatings", 20, "score"), "score is not a finite number"],
    ["slates", unfit("listSlates", 1, "date_updated"), zoned("date_updated")],
    ["sessions", unfit("listSessions", 1, "date_completed"), zoned("date_completed")],
  ];
  test.each(tables)(
    "that differ are inconclusive, with the count, the reason and the place: %s",
    async (table, rule, reason) => {
      const report = await audited(rule);
      const { exact, inconclusive } = report.summary;
      expect(report.rows).toHaveLength(exact + inconclusive);
      expect(inconclusive).toBeGreaterThan(0);
      for (const { explanation } of report.rows.filter(
        ({ verdict }) => verdict === "inconclusive",
      )) {
        expect(explanation).toMatch(
          new RegExp(
            `1 row of ${table} in quarantine: ${reason} \\(.*/${table}\\.quarantine\\.jsonl\\)$`,
          ),
        );
      }
      expect(auditExitCode(report.summary, report.correctness)).toBe(2);
    },
  );

  test("are compared as usual if only other rows are in quarantine", async () => {
    const report = await audited(unfit("listResults", 0, "kind"));
    expect(report.summary).toMatchObject({
      inconclusive: 0,
      not_auditable: report.shortfalls.length,
    });
    expect(report.shortfalls.length).toBeGreaterThan(0);
  });
});

async function auditedWhileChanging(operation: NonNullable<FaultRule["operation"]>) {
  const damage = { damage: "add", item: "A", field: "value", by: 77.5 } as const;
  const service = await startEmulator({
    load: [join(goldenDir, "tiny-pairwise.json")],
    publishing: [{ kinds: ["elo"], corruption: damage }],
  });
  const lake = temporaryLake();
  service.faults.set([{ operation, fault: { kind: "changing", rows: 1 } }]);
  await exportTo(lake, service, { sources: "whole" });
  const { report, warehouse } = await auditLake(lake, service.projectId, {
    limits: { work: 0 },
    models: "audited",
  });
  warehouse.close();
  await service.close();
  rmSync(lake, { recursive: true });
  const off = report.rows.filter(
    ({ kind, item, field }) => kind === "elo" && item === "A" && field === "value",
  );
  return { report, off: off.map((row) => [row.published_in, row.verdict, row.explanation]) };
}

test("numbers that differ in an experiment that is torn are inconclusive wherever they are published", async () => {
  const { off } = await auditedWhileChanging("listResults");
  const torn = ["inconclusive", "the export is torn: its results changed twice while it was read"];
  expect(off).toEqual([
    ["results", ...torn],
    ["metrics", ...torn],
  ]);
});

test("numbers that differ in a list of the project that is torn are inconclusive; those of the experiment are not", async () => {
  const { report, off } = await auditedWhileChanging("listMetrics");
  expect(report.shortfalls.map(({ message }) => message)).toEqual([
    "listMetrics is torn: its numbers changed twice during the export.",
  ]);
  expect(off).toEqual([
    ["results", "unexplained", null],
    ["metrics", "inconclusive", "this list changed twice during the export"],
  ]);
});

describe("pairwise numbers over slates that are no comparisons", () => {
  async function audited(file: string, where: string): Promise<AuditReport> {
    const warehouse = await publish(file, []);
    await warehouse.all(
      `create table kept as from ratings where ${where}; create or replace view ratings as from kept`,
    );
    const [study] = await warehouse.all(
      "select any_value(experiment_id) as id, min(dimension) as dimension, list(distinct stimulus order by stimulus) as names from ratings",
    );
    const [first, second] = study?.names as [string, string];
    const scores = { [first]: 2012.3, [second]: 1987.7 };
    await publishIn(warehouse, textOf(study ?? {}, "id"), [
      { kind: "elo", dimension: textOf(study ?? {}, "dimension"), scores },
    ]);
    const report = await audit(warehouse);
    warehouse.close();
    return report;
  }

  const first = "(select min(slate_id) from ratings where not is_training)";

  const kinds = [
    ["all 144 have more than two scores", "mushra", "true"],
    [
      "143 have more than two scores, 1 has fewer than two scores",
      "mushra",
      `true qualify slate_id <> ${first} or row_number() over (partition by slate_id order by stimulus) = 1`,
    ],
    ["the only one has more than two scores", "mushra", `slate_id = ${first}`],
    ["all 658 have fewer than two scores", "acr", "dimension = 'quality'"],
  ] as const;
  test.each(kinds)("are not auditable: %s", async (reason, file, where) => {
    const report = await audited(file, where);
    expect(report.rows.map(({ verdict, explanation }) => [verdict, explanation])).toEqual(
      Array(2).fill(["not_auditable", `no slate is a comparison: ${reason}`]),
    );
    expect(report.findings).toEqual([]);
    expect(auditExitCode(report.summary, report.correctness)).toBe(2);
  });

  test("are explained by pairs of each slate's scores, if the numbers are made so", async () => {
    const warehouse = await publish("mushra", []);
    const rated = await warehouse.all(
      "select r.session_id || '/' || r.slate_id as slate, r.dimension, r.stimulus, r.score from ratings as r join sessions as s on s.id = r.session_id where s.date_completed is not null and not r.is_training and r.score is not null",
    );
    const dimension = textOf(rated[0] ?? {}, "dimension");
    const scores: Record<string, { wins: number; losses: number; ties: number; n: number }> = {};
    for (const x of rated)
      for (const y of rated) {
        if (
          x.slate !== y.slate ||
          x.dimension !== dimension ||
          y.dimension !== dimension ||
          x.stimulus === y.stimulus
        )
          continue;
        const own = (scores[textOf(x, "stimulus")] ??= { wins: 0, losses: 0, ties: 0, n: 0 });
        own.n++;
        own[
          Number(x.score) > Number(y.score)
            ? "wins"
            : Number(x.score) < Number(y.score)
              ? "losses"
              : "ties"
        ]++;
      }
    const percent = Object.entries(scores).map(([item, { wins, n }]) => [
      item,
      Number(((100 * wins) / n).toFixed(1)),
    ]);
    await publishIn(warehouse, golden("mushra").experiment.id, [
      { kind: "win_loss", dimension, scores },
      { kind: "percent_chosen", dimension, scores: percent },
    ]);
    const report = await audit(warehouse);
    warehouse.close();
    expect(report.findings.map(({ explanation, verdict }) => [explanation?.name, verdict])).toEqual(
      [
        ["pairs=all", "unstated"],
        ["pairs=all", "unstated"],
      ],
    );
    expect(auditExitCode(report.summary, report.correctness)).toBe(2);
  });
});
