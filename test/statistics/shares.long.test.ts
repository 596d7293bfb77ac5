import { expect, test } from "vitest";
import { recomputeBehind } from "../support/load-case.js";
import { openWarehouse } from "../../src/warehouse/index.js";
import { read } from "../support/root.js";

const studies = 1000;

const designs: [raters: number, each: number, share: number, spread: number][] = [
  [40, 20, 0.5, 0.3],
  [12, 40, 0.5, 0.3],
  [40, 20, 0.85, 0.12],
  [40, 20, 0.05, 0.04],
];

/** Each study is an experiment: a rater's chance to approve is drawn evenly around the share, each rating of it is drawn. */
test.each(designs)(
  "1,000 studies of %i raters × %i ratings, share %d ± %d",
  async (raters, each, share, spread) => {
    const warehouse = await openWarehouse({ sources: {}, threads: 1 });
    // Draws by hash are the same on every machine.
    const drawn = (key: string) => `(hash(${key}) % 1000003) / 1000003`;
    await warehouse.all(`
    create table drawn as
      select e, r, k, ${share} + ${spread} * (2 * ${drawn("concat_ws('/', 'rater', e, r)")} - 1) as chance
      from range(${studies}) as a(e), range(${raters}) as b(r), range(${each}) as c(k);
    create or replace view ratings as
      select case when ${drawn("concat_ws('/', 'vote', e, r, k)")} < chance then 1.0 else -1.0 end as score, r::bigint as rater_id,
        (r * ${each} + k)::bigint as slate_id, 's' || r as session_id, 'j' as job_id, 1::bigint as stimulus_id, 'x' as stimulus,
        '' as dimension, false as is_training, null::json as meta, null::boolean as is_correct, null::varchar as _meta, 'e' || e as experiment_id
      from drawn;
    create or replace view sessions as
      select distinct session_id as id, 'j' as job_id, null::timestamptz as date_created, null::timestamptz as date_updated,
        '2026-01-01'::timestamptz as date_completed, null::json as rater, null::varchar as _meta, experiment_id,
        experiment_id as reported_experiment_id
      from ratings`);
    await recomputeBehind(warehouse, ["leaderboard"]);
    const [found] = await warehouse.all(`
    select count(*)::integer as n, 100 * avg((${100 * share} between low and high)::integer) as covered,
      min(interval) as interval
    from leaderboard where kind = 'percent_approved' and source = ''`);
    expect(found).toMatchObject({ n: studies, interval: "Wilson, clustered by rater" });
    const row = `| ${raters} × ${each} | ${share} ± ${spread} | ${Number(found?.covered).toFixed(1)} |`;
    console.info(row);
    expect(Number(found?.covered)).toBeGreaterThan(93);
    const docs = read("docs/reference/statistics.md");
    expect(docs, "docs/reference/statistics.md has the row").toContain(row);
    warehouse.close();
  },
);
