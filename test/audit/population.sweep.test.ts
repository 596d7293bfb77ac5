import { expect, onTestFinished, test } from "vitest";
import { ownScenario } from "../../src/audit/recompute/scenario.js";
import { comparisonsOfRatings } from "../../src/audit/recompute/comparisons.js";
import { selectRatings } from "../../src/audit/recompute/population.js";
import { loadRatings, type RatingColumns } from "../../src/audit/recompute/ratings.js";
import { conventionsWith, type Conventions } from "../../src/metrics/conventions.js";
import { seededRandom } from "../../src/platform/random.js";
import {
  modelPlan,
  modelsBehind,
  recomputeModels,
  type Model,
  type Warehouse,
} from "../../src/warehouse/index.js";
import { screened } from "../../src/warehouse/recompute.js";
import { loadRows } from "../support/load-case.js";

const experiment = "e1";
const sources = ["", "j1", "j2"];

function drawStudies(seed: number): Promise<Warehouse> {
  const random = seededRandom(seed);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const rarely = () => random() < 0.1;
  const tables: Record<"sessions" | "slates" | "ratings", object[]> = {
    sessions: [],
    slates: [],
    ratings: [],
  };
  for (const experiment_id of [experiment, "e2"]) {
    for (let n = 0; n < 90; n++) {
      const session = Math.floor(random() * 12);
      const session_id = rarely() ? null : `s${session}`;
      const rater = session % 5;
      const slate_id = rarely() ? null : n;
      const is_training = random() < 0.15;
      if (slate_id !== null && !rarely())
        tables.slates.push({
          experiment_id,
          id: slate_id,
          session_id,
          date_updated: `2026-01-01T00:0${n % 7}:00Z`,
        });
      for (let size = oneOf([1, 2, 2, 2, 2, 2, 3, 4]); size > 0; size--) {
        const stimulus = oneOf(["x/ref", "y/ref", "x/a", "y/a", "x/b", "c"]);
        const hasStimulus = !rarely();
        const usual = stimulus.endsWith("ref")
          ? oneOf([90, 100])
          : oneOf([40, 50, 50, 60, 60, 60, 70, 70, 80]);
        const isCorrect = { isCorrect: random() < 0.8 };
        tables.ratings.push({
          experiment_id,
          session_id,
          slate_id,
          rater_id: rarely() ? null : rater,
          job_id: oneOf([null, "j1", "j2"]),
          dimension: oneOf([null, null, null, "q"]),
          stimulus: hasStimulus && !rarely() ? stimulus : null,
          stimulus_id: hasStimulus ? stimulus.length : null,
          score: rarely()
            ? null
            : rater === 4 && random() < 0.4
              ? oneOf([20, 100])
              : random() < 0.01
                ? 0
                : usual,
          is_training,
          meta:
            is_training || random() < 0.3
              ? JSON.stringify(oneOf([isCorrect, { expectedScores: [50, null] }]))
              : "{}",
        });
      }
    }
    for (let n = 0; n < 10; n++) {
      const date_completed = n % 4 === 3 ? null : `2026-01-01T0${n % 5}:00:00Z`;
      tables.sessions.push({
        experiment_id,
        id: `s${n}`,
        date_created: "2026-01-01T00:00:00Z",
        date_completed,
      });
    }
  }
  return loadRows(tables);
}

type Chosen = Pick<Conventions, "training" | "incomplete" | "incorrect" | "screen" | "pairs">;

const choices: { readonly [K in keyof Chosen]: readonly Chosen[K][] } = {
  training: ["exclude", "include"],
  incomplete: ["exclude", "include"],
  incorrect: ["include", "exclude_ratings", "exclude_slates", "exclude_sessions", "exclude_raters"],
  screen: [null, "bs1534", "bt500", "p808", "training"],
  pairs: ["two", "all"],
};

const combinations = Object.entries(choices).reduce<readonly Partial<Chosen>[]>(
  (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
  [{}],
) as readonly Chosen[];

type Named = string | number | bigint | null | undefined;

const line = (...values: readonly Named[]): string =>
  values.map((value) => value ?? "").join(" | ");

function countedIn(ratings: RatingColumns, conventions: Conventions): string[] {
  const { session, sessions, slate, slateIds, rater, raters, stimulus, stimuli, score } = ratings;
  return ratings.dimensions.flatMap((dimension) =>
    sources.flatMap((source) => {
      const counted = selectRatings(
        ratings,
        ownScenario(conventions, dimension, source).population,
      );
      return [...counted.keys()].flatMap((i) => {
        if (counted[i] === 0) return [];
        const { name, item } = stimuli[stimulus[i]!]!;
        const slateId = slate[i] === -1 ? null : slateIds[slate[i]!];
        const named = [sessions[session[i]!]!.id, slateId, raters[rater[i]!], name, item];
        return line(dimension, source, ...named, score[i]);
      });
    }),
  );
}

function comparedIn(ratings: RatingColumns, conventions: Conventions): string[] {
  return ratings.dimensions.flatMap((dimension) => {
    const { items, a, b, outcome, session, slate } = comparisonsOfRatings(
      ratings,
      ownScenario(conventions, dimension, "").population,
    );
    return Array.from(outcome, (won, i) => {
      const named = [
        ratings.sessions[session[i]!]!.id,
        ratings.slateIds[slate[i]!],
        items[a[i]!],
        items[b[i]!],
      ];
      return line(dimension, ...named, won);
    });
  });
}

const countedSql = `
  select dimension, source, session_id, slate_id, rater_id, stimulus, item, score
  from int_population
  join (values ${sources.map((source) => `('${source}')`).join(", ")}) as s(source) on source in ('', job_id)
  where experiment_id = '${experiment}' and score is not null`;

const comparedSql = `
  select dimension, session_id, slate_id, item_a, item_b, outcome
  from int_comparisons
  where experiment_id = '${experiment}'`;

async function plansOf(conventions: Conventions): Promise<{ all: Model[]; changing: Model[] }> {
  const behind = modelsBehind(await modelPlan(), [
    "int_population",
    "int_comparisons",
    "audit_ratings",
  ]);
  // As tables, so that what reads them does not compute them again.
  const all = (await screened(behind, conventions)).map(
    (model) => ({ ...model, stored: "table" }) as const,
  );
  const changes = new Set<string>();
  for (const { name, sql, reads } of all)
    if (sql.includes("conventions()") || reads.some((table) => changes.has(table)))
      changes.add(name);
  return { all, changing: all.filter(({ name }) => changes.has(name)) };
}

test("what counts in memory is what counts in SQL, under every combination of conventions", async () => {
  const warehouse = await drawStudies(1);
  onTestFinished(() => warehouse.close());
  const linesOf = async (sql: string) =>
    (await warehouse.all(sql)).map((row) => line(...(Object.values(row) as Named[]))).sort();
  const seen = new Map<string, string>();
  for (const screen of choices.screen) {
    const { all, changing } = await plansOf(conventionsWith({ screen }));
    for (const [i, chosen] of combinations.filter((one) => one.screen === screen).entries()) {
      const conventions = conventionsWith({ ...chosen, item_pattern: "^[^/]+/(.+)$" });
      const name = JSON.stringify(chosen);
      await recomputeModels(warehouse, conventions, i === 0 ? all : changing);
      const counted = await linesOf(countedSql);
      const compared = await linesOf(comparedSql);
      const ratings = await loadRatings(warehouse, experiment);
      expect(countedIn(ratings, conventions).sort(), name).toEqual(counted);
      expect(comparedIn(ratings, conventions).sort(), name).toEqual(compared);
      seen.set(name, [...counted, ...compared].join("\n"));
    }
  }
  // A convention that leaves nothing out here would prove nothing.
  for (const [convention, [usual, ...others]] of Object.entries(choices))
    for (const value of others) {
      const isOther = (one: Chosen) =>
        seen.get(JSON.stringify({ ...one, [convention]: value })) !==
        seen.get(JSON.stringify({ ...one, [convention]: usual }));
      expect(
        combinations.filter(isOther).length,
        `${convention}: ${String(value)}`,
      ).toBeGreaterThan(3);
    }
});
