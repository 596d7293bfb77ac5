// The least that a leaderboard takes: the columns, one grouping by numbers, and a loop over the comparisons.
const [snapshot] = process.argv.slice(2);
const { openWarehouse } = await import(new URL("../.bench/warehouse/index.js", import.meta.url));

const warehouse = await openWarehouse({ sources: {} });
await warehouse.all(`create table items as
  select cast(row_number() over (order by stimulus) - 1 as integer) as item, stimulus
  from (select distinct stimulus from '${snapshot}/*/ratings.parquet')`);
const { a, b, outcome } = await warehouse.columns(`
  select min(item) as a, max(item) as b, cast(sign(min_by(score, item) - max_by(score, item)) as tinyint) as outcome
  from '${snapshot}/*/ratings.parquet'
  join items using (stimulus)
  where not is_training
  group by slate_id
  having count(*) = 2`);
const rating = new Float64Array(Math.max(...new Set(b)) + 1).fill(2000);
for (let i = 0; i < a.length; i++) {
  const change =
    32 * ((outcome[i] + 1) / 2 - 1 / (1 + 10 ** ((rating[b[i]] - rating[a[i]]) / 400)));
  rating[a[i]] += change;
  rating[b[i]] -= change;
}
warehouse.close();
