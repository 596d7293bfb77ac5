import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWarehouse } from "../../src/warehouse/index.js";
import { goldenDir, recomputeBehind } from "../support/load-case.js";

interface Case {
  score: number | null;
  meta: unknown;
  is_correct: boolean | null;
}

const cases = JSON.parse(readFileSync(join(goldenDir, "correctness.json"), "utf8")) as Case[];

test.each([
  ["as published", (flag: boolean | null) => flag, 0],
  ["published inverted", (flag: boolean | null) => (flag === null ? true : !flag), cases.length],
])("is_correct of every shape of meta, %s", async (_, published, differences) => {
  const warehouse = await openWarehouse({ sources: {} });
  const rows = cases.map(
    ({ score, meta, is_correct }, i) =>
      `('e', ${i}, ${String(score)}::double, '${JSON.stringify(meta)}'::json, ${String(published(is_correct))}::boolean)`,
  );
  await warehouse.all(`
    create or replace view ratings as
    select experiment_id, 's' as session_id, 'j' as job_id, slate_id, 1 as rater_id, 1 as stimulus_id, 'x' as stimulus,
      '' as dimension, score, false as is_training, meta, is_correct, null::varchar as _meta
    from (values ${rows.join(", ")}) as t (experiment_id, slate_id, score, meta, is_correct)`);
  await recomputeBehind(warehouse, ["audit_correctness"]);
  const flags = await warehouse.all("select is_correct from int_correctness order by slate_id");
  expect(flags.map((row) => row.is_correct)).toEqual(cases.map(({ is_correct }) => is_correct));
  expect(await warehouse.all("select * from audit_correctness")).toHaveLength(differences);
  warehouse.close();
});
