import fc from "fast-check";
import { expect, test } from "vitest";
import type { Warehouse } from "../../src/warehouse/index.js";
import { loadRows, recomputeBehind } from "../support/load-case.js";

interface Rating {
  item: number;
  dimension: string;
  score: number | null;
  isTraining: boolean;
  job: string;
}
interface Slate {
  id: number;
  session: number;
  updated: number;
  isListed: boolean;
  ratings: Rating[];
}
interface Study {
  sessions: { id: string; completed: number | null; isListed: boolean }[];
  slates: Slate[];
}

/** Names that sort differently by code unit, code point and locale, or need quoting. */
const items = ["a", "B", "é", "it's", "x/y", "\u{1f600}", "\uff5e", ""];

const rarely = fc.integer({ min: 0, max: 15 }).map((n) => n === 0);

const rating: fc.Arbitrary<Rating> = fc.record({
  item: fc.nat(items.length - 1),
  dimension: fc.constantFrom("", "", "", "q"),
  score: fc.option(fc.integer({ min: -2, max: 2 }), { freq: 15 }),
  isTraining: rarely,
  job: fc.constantFrom("", "j1", "j2"),
});

/** Odd studies: equal instants, ids as text and numbers out of order, unlisted sessions, slates of any size. */
const study: fc.Arbitrary<Study> = fc.record({
  sessions: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom("s1", "s10", "s2", "S2", "s\u{1f600}", "s\uff5e"),
      completed: fc.option(fc.nat(2), { freq: 5 }),
      isListed: rarely.map((is) => !is),
    }),
    { minLength: 2, selector: (s) => s.id },
  ),
  slates: fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 120 }),
      session: fc.nat(5),
      updated: fc.nat(1),
      isListed: rarely.map((is) => !is),
      ratings: fc.oneof(
        { weight: 6, arbitrary: fc.array(rating, { minLength: 2, maxLength: 2 }) },
        { weight: 1, arbitrary: fc.array(rating, { maxLength: 5 }) },
      ),
    }),
    { minLength: 20, maxLength: 60, selector: (s) => s.id },
  ),
});

function load({ sessions, slates }: Study): Promise<Warehouse> {
  const at = (minute: number | null): string | null =>
    minute === null ? null : `2026-01-01T00:0${minute}:00Z`;
  const tables = {
    sessions: sessions
      .filter((s) => s.isListed)
      .map((s) => ({
        experiment_id: "e",
        id: s.id,
        job_id: "j1",
        rater: "{}",
        date_created: at(0),
        date_updated: at(0),
        date_completed: at(s.completed),
        reported_experiment_id: "e",
        _meta: null,
      })),
    slates: slates
      .filter((s) => s.isListed)
      .map((s) => ({
        experiment_id: "e",
        id: s.id,
        session_id: sessionOf(sessions, s.session),
        job_id: "j1",
        rater_id: "1",
        date_updated: at(s.updated),
        is_training: false,
      })),
    ratings: slates.flatMap((slate) =>
      slate.ratings.map((r) => ({
        experiment_id: "e",
        session_id: sessionOf(sessions, slate.session),
        job_id: r.job,
        slate_id: slate.id,
        rater_id: 1,
        stimulus_id: r.item,
        stimulus: items[r.item],
        dimension: r.dimension,
        score: r.score,
        is_training: r.isTraining,
        meta: "{}",
        is_correct: null,
      })),
    ),
  };
  return loadRows(tables);
}

const sessionOf = (sessions: Study["sessions"], index: number): string =>
  sessions[index % sessions.length]!.id;

const byCodePoint = (x: string, y: string): number =>
  Buffer.compare(Buffer.from(x), Buffer.from(y));

/** Wins, losses, ties and Elo of each dimension and item by the definitions, in plain loops. */
function naive({ sessions, slates }: Study): Record<string, [number, number, number, number]> {
  const done = sessions.filter((s) => s.isListed && s.completed !== null);
  done.sort((x, y) => (x.completed as number) - (y.completed as number) || byCodePoint(x.id, y.id));
  const out: Record<string, [number, number, number, number]> = {};
  for (const session of done) {
    const own = slates.filter((s) => sessionOf(sessions, s.session) === session.id);
    own.sort(
      (x, y) =>
        Number(y.isListed) - Number(x.isListed) ||
        (x.isListed ? x.updated - y.updated : 0) ||
        x.id - y.id,
    );
    for (const slate of own) {
      for (const dimension of ["", "q"]) {
        const scored = slate.ratings.filter(
          (r) => r.dimension === dimension && !r.isTraining && r.score !== null,
        );
        if (scored.length !== 2) continue;
        scored.sort((x, y) => byCodePoint(items[x.item]!, items[y.item]!));
        const [a, b] = scored as [Rating, Rating];
        if (a.item === b.item) continue;
        const [left, right] = [a, b].map(
          (r) => (out[`${dimension}|${items[r.item]!}`] ??= [0, 0, 0, 2000]),
        ) as [[number, number, number, number], [number, number, number, number]];
        const outcome = Math.sign((a.score as number) - (b.score as number));
        left[outcome > 0 ? 0 : outcome < 0 ? 1 : 2]++;
        right[outcome > 0 ? 1 : outcome < 0 ? 0 : 2]++;
        const change = 32 * ((outcome + 1) / 2 - 1 / (1 + 10 ** ((right[3] - left[3]) / 400)));
        left[3] += change;
        right[3] -= change;
      }
    }
  }
  return out;
}

test("generated odd studies: SQL and plain loops agree on comparisons and on Elo", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(study, async (generated) => {
      const warehouse = await load(generated);
      try {
        await recomputeBehind(warehouse, ["metric_win_loss", "metric_elo"]);
        const rows = await warehouse.all(`
          select dimension || '|' || item as key, wins, losses, ties, value
          from metric_win_loss join metric_elo using (experiment_id, dimension, source, item) where source = ''`);
        const wanted = naive(generated);
        expect(rows.map((row) => row.key).sort()).toEqual(Object.keys(wanted).sort());
        for (const row of rows) {
          const [wins, losses, ties, elo] = wanted[row.key as string]!;
          expect(row).toMatchObject({ wins, losses, ties });
          expect(row.value).toBeCloseTo(elo, 9);
          compared++;
        }
      } finally {
        warehouse.close();
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect(compared).toBeGreaterThan(30);
});
