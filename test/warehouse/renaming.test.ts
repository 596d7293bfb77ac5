import { expect, test } from "vitest";
import { conventionsWith } from "../../src/metrics/conventions.js";
import { seededRandom } from "../../src/platform/index.js";
import {
  modelPlan,
  recomputeModels,
  type Row,
  textOf,
  type Warehouse,
  isInternal,
} from "../../src/warehouse/index.js";
import { loadCase, loadRows } from "../support/load-case.js";
import { everyNth } from "../support/whole.js";

type Names = ReadonlyMap<string, string>;

const item = (name: string) => `'item ' || md5(${name})`;
const rater = (id: string) => `7000000000 + ('0x' || md5(${id}::varchar)[:7])::bigint`;
/** With the hidden reference that a name would propose. */
const roles = (name: string) => `* replace (json_object('roles', json_object('anchors', [],
  'reference', (select list(distinct ${name}) from plain_ratings where stimulus like '%ref%')))
  as config)`;

/** Gives items, raters and prompts names in another order. Returns the old names by the new. */
async function rename(warehouse: Warehouse): Promise<Names> {
  const ratings = `* replace (${item("stimulus")} as stimulus, ${rater("rater_id")} as rater_id,
    case when _meta is not null then '{"recount_prompt":"' || md5(_meta) || '"}' end as _meta)`;
  const id = "json_extract_string(rater, '$.id')";
  const columns = {
    ratings,
    slate_ratings: ratings,
    slates: `* replace ((${rater("rater_id")})::varchar as rater_id)`,
    sessions: `* replace (
      case when ${id} is not null then json_object('id', ${rater(id)}) end as rater)`,
    experiments: roles(item("stimulus")),
  };
  for (const [name, shown] of Object.entries(columns)) {
    await warehouse.all(`create table if not exists plain_${name} as from ${name}`);
    await warehouse.all(`create or replace view ${name} as select ${shown} from plain_${name}`);
  }
  const named = await warehouse.all(`select distinct ${item("stimulus")} as new, stimulus as old
    from plain_ratings union select (${rater("rater_id")})::varchar, rater_id::varchar
    from plain_ratings`);
  return new Map(named.map((row) => [textOf(row, "new"), textOf(row, "old")]));
}

/** Labels without a meaning beyond their table, and diagnostics of rounding. */
const labels = /^(class|component|max_change_elo|iterations)$/;
/** Which of two is named first. Of slates that are no comparison, there are more than two. */
const pairs = ["item_a item_b", "item_1 item_2", "first second"].map((pair) => pair.split(" "));

function asBefore(row: Row, back: Names, isOfSlates: boolean): string {
  const own: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    if (labels.test(column) || (isOfSlates && /^item_[ab]$/.test(column))) continue;
    own[column] =
      typeof value === "number"
        ? // Rounding depends on the order of sums.
          Number((Math.abs(value) < 1e-11 ? 0 : value).toPrecision(9)) + 0
        : typeof value === "string"
          ? value.replaceAll(/item [0-9a-f]{32}|\b7\d{9}\b/g, (name) => back.get(name) ?? name)
          : value;
  }
  for (const [a = "", b = ""] of pairs)
    if (typeof own[a] === "string" && typeof own[b] === "string" && own[a] > own[b]) {
      [own[a], own[b]] = [own[b], own[a]];
      if ("wins_a" in own) [own.wins_a, own.wins_b] = [own.wins_b, own.wins_a];
      for (const column of ["outcome", "difference"])
        if (typeof own[column] === "number") own[column] = -own[column] + 0;
    }
  return JSON.stringify(own, (_, value: unknown) =>
    typeof value === "bigint" ? Number(back.get(String(value)) ?? value) : value,
  );
}

async function everything(load: () => Promise<Warehouse>, isRenamed: boolean) {
  const warehouse = await load();
  await warehouse.all("create table plain_ratings as from ratings");
  await warehouse.all("create table plain_experiments as from experiments");
  await warehouse.all(
    `create or replace view experiments as select ${roles("stimulus")} from plain_experiments`,
  );
  const back = isRenamed ? await rename(warehouse) : new Map<string, string>();
  const plan = await modelPlan();
  const lean = { elo: { permutations: 20 }, bradley_terry: { rater_samples: 50 } };
  await recomputeModels(warehouse, conventionsWith(lean), plan);
  const tables = new Map<string, string[]>();
  for (const { name } of plan.filter((model) => !isInternal(model.name))) {
    const rows = await warehouse.all(`from ${name}`);
    tables.set(name, rows.map((row) => asBefore(row, back, name === "audit_slates")).sort());
  }
  warehouse.close();
  return tables;
}

function drawnStudy(seed: number) {
  const random = seededRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const ratings = Array.from({ length: 40 }, (_, slate_id) => {
    const rater_id = below(4);
    const left = below(4);
    const score = below(3) / 2;
    const shared = {
      ...{ experiment_id: "exp", session_id: `s${rater_id}`, slate_id, rater_id },
      _meta: JSON.stringify({ recount_prompt: `prompt ${below(4)}` }),
    };
    return [
      { ...shared, stimulus: `i${left}`, score },
      { ...shared, stimulus: `i${(left + 1 + below(3)) % 4}`, score: 1 - score },
    ];
  }).flat();
  const sessions = [0, 1, 2, 3].map((own) => ({
    ...{ experiment_id: "exp", id: `s${own}`, date_completed: `2026-01-0${own + 1}T00:00:00Z` },
  }));
  return loadRows({ ratings, sessions, experiments: [{ id: "exp", type: "pairwise_text" }] });
}

const cases = ["codec-preference", "mushra", "acr", "approval", "two-dimensions", "tiny-pairwise"];
const studies: [string, () => Promise<Warehouse>][] = [
  ...[1, 2, 3, 4, 5, 6].map((seed) => [`drawn ${seed}`, () => drawnStudy(seed)] as const),
  ...cases.map((name) => [name, () => loadCase(`${name}.json`)] as const),
].map(([name, load]) => [name, load]);

test.each(everyNth(studies, studies.length))(
  "no statistic changes under other names of items, raters and prompts: %s",
  async (_, load) => {
    const before = await everything(load, false);
    const after = await everything(load, true);
    expect(before.get("agreement")).not.toEqual([]);
    const changed = [...before].flatMap(([table, rows]) => {
      const at = rows.findIndex((row, i) => row !== after.get(table)?.[i]);
      return at === -1 ? [] : [[table, rows[at], after.get(table)?.[at]]];
    });
    expect(changed).toEqual([]);
  },
);
