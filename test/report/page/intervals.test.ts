import { expect, it } from "vitest";
import { auditLake } from "../../../src/audit/index.js";
import { defaultConventions, metricKind, kinds } from "../../../src/metrics/index.js";
import { gatherReport } from "../../../src/report/page/report-data.js";
import { lakeOfCases } from "../../support/report-fixture.js";
import { isWhole } from "../../support/whole.js";

it.runIf(isWhole)(
  "shows the intervals that the leaderboard has, of every kind that ranks",
  async () => {
    const made = await lakeOfCases(["tiny-pairwise", "acr"]);
    const audited = await auditLake(made.lake, made.project);
    const { experiments } = await gatherReport(audited, defaultConventions, null);
    const board = await audited.warehouse.all("from leaderboard where source = ''");
    const clustered = await audited.warehouse.all("from metric_stats_clustered where source = ''");
    audited.warehouse.close();
    made.remove();
    const shown = experiments.flatMap(({ id, details }) =>
      (details?.boards ?? []).flatMap(({ kind, rows }) =>
        rows.map(({ row, beside }) => ({ id, kind, row, low: beside?.low, high: beside?.high })),
      ),
    );
    const ranked = shown.filter(({ kind }) => metricKind(kind).ranks !== undefined);
    expect(new Set(ranked.map(({ kind }) => kind)).size).toBe(
      kinds.filter(
        (kind) => metricKind(kind).ranks !== undefined && shown.some((one) => one.kind === kind),
      ).length,
    );
    for (const { id, kind, row, low, high } of ranked) {
      const same = board.find(
        (one) =>
          one.experiment_id === id &&
          one.kind === (kind === "stats" ? "mean" : kind) &&
          one.item === row.item,
      );
      expect([kind, row.item, low, high]).toEqual([kind, row.item, same?.low, same?.high]);
    }
    const elo = board.filter(({ kind }) => kind === "elo");
    expect(elo.length).toBeGreaterThan(0);
    for (const one of elo) {
      expect([one.low, one.high, one.interval]).toEqual([null, null, null]);
      expect(Number(one.p975_over_orders)).toBeGreaterThan(Number(one.p025_over_orders));
    }
    const mean = board.find(({ kind }) => kind === "mean");
    const own = clustered.find(
      ({ experiment_id, item }) => experiment_id === mean?.experiment_id && item === mean?.item,
    );
    expect([mean?.low, mean?.high]).toEqual([own?.clustered_ci_low, own?.clustered_ci_high]);
    // What is called low and high encloses the value; a range over orders, which need not, has other names.
    for (const { kind, value, low, high } of board.filter((one) => one.low !== null))
      expect([
        kind,
        Number(low) <= Number(value) + 1e-9,
        Number(value) <= Number(high) + 1e-9,
      ]).toEqual([kind, true, true]);
  },
  120_000,
);
