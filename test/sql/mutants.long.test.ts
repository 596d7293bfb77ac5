import { afterAll, expect, test } from "vitest";
import { auditExitCode, auditSnapshot } from "../../src/audit/index.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { parseModel } from "../../src/warehouse/models.js";
import { modelPlan, planModels, readModels, recompute, type Model, type Warehouse } from "../../src/warehouse/index.js";
import { golden, publish, scoresOf, snapshot, type Expected } from "../support/audit/published-case.js";
import { leanConventions } from "../support/load-case.js";

type Mutant = readonly [
  model: string,
  from: string,
  to: string,
  file?: "acr" | "approval" | "mushra" | "tiny-pairwise",
];

/** One slip in one model each: a filter, a sign, a tie rule, an order, off by one. */
const mutants: readonly Mutant[] = [
  ["int_judged", "'exclude' and r.is_training", "'exclude' and false"],
  ["int_judged", "'exclude' and s.completed_at is null", "'exclude' and false"],
  ["int_items", "item_of(stimulus) as item", "substring(item_of(stimulus), 2) as item"],
  [
    "int_correctness",
    "score <= try_cast(found[4] as double)",
    "score < try_cast(found[4] as double) - 1",
    "tiny-pairwise",
  ],
  ["int_correctness", "found[1] = 'true'", "found[1] = 'false'"],
  ["int_sessions", "order by completed_at nulls last, place nulls last, session_id", "order by session_id"],
  ["int_sessions", "order by completed_at nulls last", "order by completed_at desc nulls last"],
  ["int_sessions", "experiment_id, completed_in nulls last", "experiment_id, completed_in desc nulls last"],
  ["key_slates", "sign(score_a - score_b)", "sign(score_b - score_a)"],
  ["key_slates", "sign(score_a - score_b)", "coalesce(nullif(sign(score_a - score_b), 0), 1)"],
  ["key_pairs", "filter (where outcome = -1)", "filter (where outcome <= 0)"],
  ["key_pairs", "filter (where outcome = 0) as ties", "filter (where outcome > 1) as ties"],
  ["metric_win_loss", "wins_b as wins, wins_a as losses", "wins_a as wins, wins_b as losses"],
  ["metric_win_loss", "sum(wins + losses + ties)", "sum(wins + losses)"],
  ["metric_percent_chosen", "else wins + losses + ties", "else wins + losses"],
  ["metric_percent_chosen", "      else 0\n", "      else ties / 2\n"],
  ["metric_percent_approved", "else score > 0", "else score >= 0", "approval"],
  ["metric_percent_approved", "cast(sum(n) as bigint) as n", "cast(sum(n) - 1 as bigint) as n", "approval"],
  ["metric_mean", "fsum(score * weight order by score)", "fsum(score order by score)", "acr"],
  ["metric_stats", "'n' then 0 else 1", "'n' then 1 else 0", "acr"],
  ["int_quartiles", "else (n + 3) / 4", "else (n + 4) / 5", "mushra"],
  ["int_quartiles", "median_below / 2 + median_above / 2", "median_below", "mushra"],
  ["metric_stats", "std / sqrt(n) as sem", "std / sqrt(n - 1) as sem", "acr"],
  ["metric_stats", "mean - critical * sem", "mean - 1.959964 * sem", "acr"],
  ["metric_stats", "(score - mean) ** 2", "abs(score - mean)", "acr"],
  ["fit_critical_values", "cast(n - 1 as double)", "cast(n as double)", "acr"],
  ["fit_elo", "item_a as a,\n  item_b as b", "item_b as a,\n  item_a as b"],
  ["fit_elo", "  outcome,", "  cast(abs(outcome) as tinyint) as outcome,"],
  ["fit_elo", "session_no nulls last, updated_at nulls last", "session_no desc nulls last, updated_at nulls last"],
  ["fit_elo", "updated_at nulls last, slate_id", "slate_id desc"],
  ["metric_elo", "  f.value,", "  f.value + 1 as value,"],
  ["fit_bayesian_elo", "sum(c.ties)", "0 * sum(c.ties)"],
  ["fit_bayesian_elo", "sum(c.wins_a)", "sum(c.wins_a + c.ties)"],
  ["metric_bayesian_elo", "exclude (group_id, item_id)", "exclude (group_id, item_id) replace (f.p05 as p025)"],
  ["key_sources", "job_id as source from jobs\n  where job_id <> ''", "'' as source from jobs\n  where job_id <> ''"],
];

/** The plan with one model changed. */
async function planOf(model: string, from: string, to: string): Promise<Model[]> {
  const models = await readModels();
  const own = models.find(({ name }) => name === model);
  expect(own?.sql.split(from), `${model} holds the text once`).toHaveLength(2);
  const changed = (own?.sql ?? "").replace(from, () => to);
  return planModels(models.map((m) => (m === own ? parseModel(m.layer, `${m.name}.sql`, changed) : m)));
}

/** A model and everything that depends on it, directly or indirectly. */
function madeFrom(plan: readonly Model[], model: string): Model[] {
  const concerned = new Set([model]);
  // A kernel's tables have the model's name before their own.
  const isConcerned = (table: string): boolean =>
    [...concerned].some((name) => table === name || (name.startsWith("fit_") && table.startsWith(`${name}_`)));
  return plan.filter(({ name, reads }) => {
    const isMade = name === model || reads.some(isConcerned);
    if (isMade) concerned.add(name);
    return isMade;
  });
}

const warehouses = new Map<string, Promise<Warehouse>>();
afterAll(async () => {
  for (const warehouse of warehouses.values()) (await warehouse).close();
});

/** A case published as expected and recomputed by the unchanged sql/. */
async function made(file: string): Promise<Warehouse> {
  const results = Object.entries(golden(file).expected).flatMap(([dimension, kinds]) =>
    Object.entries(kinds)
      .filter(([kind]) => kind !== "variants")
      .map(([kind, expected]) => ({ kind, dimension, scores: scoresOf(expected as Expected) })),
  );
  const warehouse = await publish(file, results);
  await recompute(warehouse, leanConventions(), withoutChecks(await modelPlan()));
  return warehouse;
}

const withoutChecks = (plan: readonly Model[]): Model[] => plan.filter(({ layer }) => layer !== "checks");

/** The audit's exit code with some models replaced; restores them afterwards. */
async function exitUnder(file: string, models: readonly Model[] = []): Promise<number> {
  const opened = warehouses.get(file) ?? made(file);
  warehouses.set(file, opened);
  const warehouse = await opened;
  await warehouse.all("begin");
  try {
    await recompute(warehouse, leanConventions(), withoutChecks(models));
    const report = await auditSnapshot(warehouse, snapshot, defaultConventions, { limits: null });
    return auditExitCode(report.summary, report.correctness);
  } finally {
    await warehouse.all("rollback");
  }
}

const cases = mutants.map(([model, from, to, file]) => [model, from, to, file ?? "codec-preference"] as const);

test.each(cases)("%s: %j for %j makes the audit fail", async (model, from, to, file) => {
  expect(await exitUnder(file, madeFrom(await planOf(model, from, to), model))).toBe(1);
});

// After the mutants: their changes have been undone.
test.each(["codec-preference", "two-dimensions", "tiny-pairwise", "approval", "acr", "mushra"])(
  "the audit of %s passes with sql/ unchanged",
  async (file) => expect(await exitUnder(file)).toBe(0),
);
