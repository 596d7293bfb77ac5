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
        const plotted = plottedOf(experiment, ranking);
        const kind = plotted?.kind === "stats" ? "mean" : plotted?.kind;
        return (plotted?.items ?? []).map((one) => ({
          ...one,
          kind,
          id: experiment.experiment_id,
        }));
      }),
    );
    expect(new Set(shown.map(({ id }) => id)).size).toBe(2);
    for (const { id, kind, item, low, high } of shown) {
      const same = board.find(
        (one) => one.experiment_id === id && one.kind === kind && one.item === item,
      );
      expect([item, low ?? NaN, high ?? NaN]).toEqual([
        item,
        expect.closeTo(Number(same?.low ?? NaN), 9),
        expect.closeTo(Number(same?.high ?? NaN), 9),
      ]);
    }
    // What is called low and high encloses the value; a range over orders, which need not, has other names.
    for (const { kind, value, low, high } of board.filter((one) => one.low !== null))
      expect([
        kind,
        Number(low) - Number(value) < 1e-9,
        Number(value) - Number(high) < 1e-9,
      ]).toEqual([kind, true, true]);
  },
  120_000,
);
