import { beforeAll, describe, expect, test } from "vitest";
import { auditLake, type AuditRow } from "../../../src/audit/index.js";
import { defaultConventions } from "../../../src/metrics/index.js";
import { gatherReport, type ChangeData, type ReportData } from "../../../src/report/page/report-data.js";
import type { FlipData, ScreeningData, StatisticsData } from "../../../src/report/page/statistics-data.js";
import { limits } from "../../../src/report/page/html.js";
import { renderPage } from "../../../src/report/page/page.js";
import { lakeOfCases } from "../../support/report-fixture.js";
import { templatesIn, unsaid, type Template } from "../../support/templates.js";

/** Markup, styles and queries. */
const isRead = ({ text }: Template): boolean =>
  !/^ ?(select |from robustness|class="|wide$|open$|<[a-z!][^>]*>…<|<[a-z][^>]*>[–…]?<)/.test(text) &&
  !/^(experiment_id in|default-src|<!doctype|<th |<td |<li>|<span |<path |--lake)/.test(text);

const change = (of: Partial<ChangeData>): ChangeData => ({
  ...{ before: "20260101T000000Z", unchanged: 3, changed: [], deleted: [], diff: null },
  ...of,
});
const file = { table: "results", experiment_id: "exp1", experiment: "exp1", rows_before: 4, rows_after: null } as const;
const moved = {
  ...{ experiment_id: "exp1", experiment: "exp1", kind: "elo", dimension: "", source: "", item: "A", field: "value" },
  ...{ before: 2000, after: 2010, rank_before: 1, rank_after: 2 },
};

const rater = { rater: "7", ratings: 9, comparisons: 9, agreement: 80, correct: null, seconds: 4 };
const flag = {
  ...{ experiment_id: "exp1", slate_id: "1", session_id: "2", stimulus: "A", dimension: "" },
  ...{ published: true, recomputed: false },
};
const answered = [3, 5].map((slates) => ({ slates, sessions: 2, completed: 1 }));

const ranked = (item: string, rank: number) => ({
  ...{ item, rank, best: 1, worst: 2, letters: "a", probabilityBest: 0.5 },
});
const ranking = (estimate: string) => ({
  estimate,
  sentence: "Nothing.",
  precision: "",
  items: [ranked("A", 1), ranked("B", 2)],
});
const flip: FlipData = {
  ...{ kind: "elo", unit: "vote", k: 1, units: 2000, atMost: 3, isExact: false, leaving: "A", entering: "B" },
};
const screening: ScreeningData = {
  ...{ rule: "training", clauses: [], raters: 9, excluded: 0, excludedRatings: 0, moved: 0, first: "A" },
  screenedFirst: "A",
};
const alpha = { answers: "scores", statistic: "krippendorff_interval", value: 0.9, low: 0.8, high: 0.95, raters: 9 };
const doubted: Omit<StatisticsData, "experiment"> = {
  dimension: "motion",
  rankings: [ranking("bradley_terry"), ranking("mean")],
  flips: [flip, { ...flip, k: 2 }],
  screenings: [
    screening,
    { ...screening, rule: "bs1534", clauses: ["BS.1534-3 4.1.2"], excluded: 1, excludedRatings: 20 },
    { ...screening, rule: "p808", clauses: ["P.808"], excludedRatings: 1, moved: 2, screenedFirst: "B" },
  ],
  agreements: [alpha, { ...alpha, value: 0.7, low: null }, { ...alpha, value: -0.1 }],
  ledger: {
    ratings: 2000,
    rules: [
      { rule: "training", ratings: 9, moved: 2 },
      { rule: "incomplete", ratings: 1, moved: 0 },
    ],
  },
};

/** The lines of a page without markup inside, as they are read. */
const linesOf = (page: string): string[] =>
  page
    .replace(/ d="[^"]*"/g, "")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .split("\n");

describe("each sentence of the report's page", () => {
  let data: ReportData;
  const lines = new Set<string>();
  beforeAll(async () => {
    const made = await lakeOfCases(["tiny-pairwise", "acr"], { isHostile: true });
    const audited = await auditLake(made.lake, made.project);
    data = await gatherReport(audited, defaultConventions, null);
    audited.warehouse.close();
    made.remove();
  });

  /** The pages of a project that differs from the one of two studies in what is given. */
  const cases: Record<string, (of: ReportData) => Partial<ReportData>> = {
    "of two studies": () => ({}),
    "without published numbers": ({ audit, experiments }) => ({
      audit: { ...audit, rows: [], findings: [], results: [] },
      experiments: experiments.map((each) => ({ ...each, details: null, numbers: 0 })),
    }),
    "of which every number is exact": ({ audit, experiments }) => {
      const rows = audit.rows.map((row): AuditRow => ({ ...row, verdict: "exact" }));
      const exact = new Map(rows.map((row) => [JSON.stringify([row.experiment_id, row.kind, row.item]), row]));
      return {
        audit: { ...audit, rows, findings: [] },
        experiments: experiments.map(({ details, ...each }) => ({
          ...each,
          details: details && {
            ...details,
            boards: details.boards.map((board) => ({
              ...board,
              others: { ...board.others, differing: [] },
              rows: board.rows.map((row) => ({
                ...row,
                ranks: null,
                row: exact.get(JSON.stringify([row.row.experiment_id, row.row.kind, row.row.item])) ?? row.row,
              })),
            })),
          },
        })),
      };
    },
    "with more than it can show, and not whole": ({ audit, experiments, checks }) => ({
      audit: {
        ...audit,
        shortfalls: [{ message: "The export of exp9 is torn." } as (typeof audit.shortfalls)[number]],
        correctness: { ...audit.correctness, different: [flag] },
        findings: Array.from({ length: limits.findings + 1 }, () => ({
          ...(audit.findings[0] as (typeof audit.findings)[number]),
          stated: ["k=24"],
          explanation: null,
          smallest_difference: {
            ...{ change: "dropped", unit: "slate", ids: ["7"], alternatives: 4, says: "the numbers match when …" },
          } as const,
        })),
      },
      checks: checks.map((each, i) => (i === 0 ? { ...each, rows: 2 } : each)),
      conventions: { ...defaultConventions, screen: "bs1534", item_pattern: "[^/]*" },
      experiments: [
        ...experiments.map(({ details, ...each }) => ({
          ...each,
          details: details && {
            ...details,
            ...{ answered, raters: [rater, rater, rater] },
            parts: details.boards.map(({ dimension, kind, rows: [first] }) => ({
              ...{ dimension, kind, items: ["A"], whole: [1], repeats: [], more: { items: 0, columns: 0 } },
              columns: [{ source: "", places: ["metrics"], all: [], rows: [first?.row ?? null] }],
            })),
            boards: details.boards.map((board) => ({
              ...board,
              rows: board.rows.map((row) => ({ ...row, ranks: { best: 1, worst: 1 } })),
            })),
          },
        })),
        ...Array.from({ length: limits.listed }, (_, i) => ({
          ...(experiments[0] as (typeof experiments)[number]),
          ...{ id: `more${i}`, name: `more ${i}`, numbers: 1, details: null },
        })),
      ],
    }),
    "with many items, and metrics that disagree on the first": ({ experiments }) => ({
      experiments: experiments.map(({ details, ...each }) => {
        const names = Array.from({ length: limits.digits + 9 }, (_, i) => `item ${i}`);
        const [board] = details?.boards ?? [];
        const [first] = board?.rows ?? [];
        if (details === null || board === undefined || first === undefined) return { ...each, details };
        const kinds = ["elo", "bayesian_elo", "percent_chosen", "percent_approved", "mean"] as const;
        const [elos, share] = [names.map(() => [2000, 2010]), names.map(() => names.map(() => 50))];
        const boards = kinds.map((kind, i) => ({
          ...{ ...board, kind, isMain: i === 0 },
          rows: names.map((_, j) => ({
            ...{ ...first, low: null, high: null, ranks: null },
            row: { ...first.row, item: names[(j + i) % names.length]! },
          })),
        }));
        const { dimension } = board;
        return {
          ...each,
          details: {
            ...{ ...details, boards, answered },
            histories: [{ dimension, sessions: [0, 9], items: names, ratings: elos, more: 2 }],
            pairs: [{ dimension, items: names, share, n: share, more: 0 }],
          },
        };
      }),
    }),
    "of many experiments, some without numbers": ({ experiments }) => ({
      experiments: Array.from({ length: limits.unfolded + 1 }, (_, i) => ({
        ...(experiments[0] as (typeof experiments)[number]),
        ...{ id: `more${i}`, numbers: i % 2, attention: i % 3 },
      })),
    }),
    "with a value fitted to the numbers": ({ audit }) => ({
      audit: {
        ...audit,
        findings: audit.findings.map(({ explanation, ...finding }) => ({
          ...finding,
          explanation: explanation && {
            ...explanation,
            parameters: [{ name: "k", value: 16, low: 15.98, high: 16.03 }],
          },
        })),
      },
    }),
    "of means whose intervals go beyond the scale": ({ experiments }) => ({
      experiments: experiments.map(({ details, ...each }) => ({
        ...each,
        details: details && {
          ...details,
          scores: details.scores.map(({ items, ...scores }) => ({
            ...scores,
            items: items.map((item) => ({ ...item, low: -1000, high: 1000 })),
          })),
        },
      })),
    }),
    "of files, with rankings that may not survive doubt": ({ experiments }) => ({
      service: "files",
      statistics: experiments.slice(0, 2).map(({ id }, i) => ({
        ...{ ...doubted, experiment: id },
        ...(i === 0 ? {} : { ledger: { ratings: 2000, rules: [] } }),
      })),
    }),
    "after a snapshot that is too large to compare": () => ({
      changes: change({
        changed: Array.from({ length: limits.changes + 1 }, () => file),
        deleted: [{ table: "sessions", experiment_id: "exp1", experiment: "exp1", ids: ["1", "2"] }],
      }),
    }),
    "after a snapshot with other numbers": () => ({
      changes: change({
        diff: {
          tables: [{ table: "ratings", key: [], added: 1, removed: 0, changed: 0, examples: [] }],
          numbers: [moved],
        },
      }),
    }),
  };

  test.each(Object.keys(cases))("of a page %s", async (name) => {
    const page = await renderPage({ ...data, ...cases[name]?.(data) });
    for (const line of linesOf(page)) lines.add(line);
    expect(page).toContain("</html>");
  });

  test("has a case", () => {
    const texts = templatesIn(["report/page"]).filter(isRead);
    expect(texts.length).toBeGreaterThan(60);
    expect(unsaid(texts, [...lines])).toEqual([]);
  });
});
