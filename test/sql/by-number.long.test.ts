import { expect, test } from "vitest";
import { conventionsWith, type ConventionsInput } from "../../src/metrics/conventions.js";
import { modelPlan, modelsBehind, recomputeModels } from "../../src/warehouse/index.js";
import { loadCase } from "../support/load-case.js";

const plain = {
  int_comparisons: `
    with scored as (select * from int_population where score is not null),
    slates as (
      select experiment_id, dimension, session_id, slate_id, min(job_id) as job_id, min(rater_id) as rater_id,
        min(service_rank) as service_rank, count(score) as scored
      from int_population where slate_id is not null
      group by experiment_id, dimension, session_id, slate_id
    ),
    updates as (
      select experiment_id, session_id, slate_id, max(updated_at) as updated_at from stg_slates
      group by experiment_id, session_id, slate_id
    )
    select s.* exclude (scored), a.item as item_a, b.item as item_b, u.updated_at,
      sign(a.score - b.score) as outcome, 1 as weight
    from slates as s
    join scored as a on a.experiment_id = s.experiment_id and a.dimension = s.dimension
      and a.session_id is not distinct from s.session_id and a.slate_id = s.slate_id
    join scored as b on b.experiment_id = s.experiment_id and b.dimension = s.dimension
      and b.session_id is not distinct from s.session_id and b.slate_id = s.slate_id
    left join updates as u on u.experiment_id = s.experiment_id and u.session_id = s.session_id and u.slate_id = s.slate_id
    where a.item < b.item and (s.scored = 2 or conventions().pairs = 'all')`,
  int_pair_counts: `
    with sourced as (
      select *, '' as source from int_comparisons
      union all select *, job_id from int_comparisons where job_id <> ''
      union all select c.*, s.source from int_comparisons as c join int_job_sets as s using (experiment_id, job_id)
    )
    select experiment_id, dimension, source, item_a, item_b, count(*) filter (where outcome = 1) as wins_a,
      count(*) filter (where outcome = -1) as wins_b, count(*) filter (where outcome = 0) as ties
    from sourced group by all`,
  int_score_counts: `
    select experiment_id, dimension, source, item, score, count(*) as n from int_source_scores group by all`,
  // Differences of the last bits: the plain sum adds each deviation as often as it occurs.
  int_score_clusters: `
    with deviations as (
      select s.experiment_id, s.dimension, s.source, s.item, count(*) as n, any_value(c.mean) as mean,
        fsum(score - c.mean) as deviation
      from int_source_scores as s
      join int_score_cells as c on c.experiment_id = s.experiment_id and c.dimension = s.dimension
        and c.source = s.source and c.item is not distinct from s.item
      group by s.experiment_id, s.dimension, s.source, s.item, s.rater_id
    )
    select experiment_id, dimension, source, item, cast(sum(n) as bigint) as n, count(*) as raters,
      any_value(mean) as mean, fsum(deviation ** 2) as squares
    from deviations group by experiment_id, dimension, source, item`,
} as const;

const cases: readonly (readonly [file: string, conventions: ConventionsInput])[] = [
  ["codec-preference.json", {}],
  ["two-dimensions.json", { training: "include", incomplete: "include" }],
  ["mushra.json", { pairs: "all" }],
  ["tiny-pairwise.json", { incorrect: "exclude_raters" }],
];

test.each(cases)(
  "%s: what is counted by number equals what plain SQL counts by name, under %j",
  async (file, input) => {
    const warehouse = await loadCase(file);
    const tables = Object.keys(plain) as (keyof typeof plain)[];
    const plan = modelsBehind(await modelPlan(), [...tables, "int_source_scores"]);
    await recomputeModels(warehouse, conventionsWith(input), plan);
    for (const table of tables) {
      const rounded =
        table === "int_score_clusters" ? "replace (round(squares, 6) as squares)" : "";
      const rows = (from: string) => warehouse.all(`select * ${rounded} from ${from} order by all`);
      expect(await rows(table), table).toEqual(await rows(`(${plain[table]})`));
    }
    warehouse.close();
  },
);
