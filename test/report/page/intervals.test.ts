import { expect, it } from "vitest";
import { auditLake } from "../../../src/audit/index.js";
import { gatherPage, pageData } from "../../../src/report/page/data.js";
import { plottedOf } from "../../../src/report/page/plot.js";
import { rankingsOf } from "../../../src/report/page/rankings.js";
import { lakeOfCases } from "../../support/report-fixture.js";
import { isWhole } from "../../support/whole.js";

it.runIf(isWhole)(
  "shows the intervals that the leaderboard has",
  async () => {
    const made = await lakeOfCases(["tiny-pairwise", "acr"]);
    const audited = await auditLake(made.lake, made.project);
    const { experiments } = pageData(await gatherPage(audited));
    const board = await audited.warehouse.all("from leaderboard where source = ''");
    audited.warehouse.close();
    made.remove();
    const shown = experiments.flatMap((experiment) =>
      rankingsOf(experiment).flatMap((ranking) => {
        const { kind = "", items = [] } = plottedOf(experiment, ranking) ?? {};
        const { experiment_id } = experiment;
        return items.map((one) => ({ ...one, experiment_id, kind: kind.replace("stats", "mean") }));
      }),
    );
    expect(new Set(shown.map((one) => one.experiment_id)).size).toBe(2);
    const near = (end: number | null): unknown => end && expect.closeTo(end, 9);
    for (const { experiment_id, kind, item, low, high } of shown) {
      const row = { experiment_id, kind, item, low: near(low), high: near(high) };
      expect(board).toContainEqual(expect.objectContaining(row));
    }
    // What is called low and high encloses the value; a range over orders, which need not, has other names.
    const outside = board.filter(
      (one) =>
        Number(one.low) - Number(one.value) > 1e-9 || Number(one.value) - Number(one.high) > 1e-9,
    );
    expect(outside.filter(({ low }) => low !== null)).toEqual([]);
  },
  120_000,
);
