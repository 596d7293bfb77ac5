import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  auditExitCode,
  describeFindings,
  type Acceptance,
  type AuditReport,
} from "../../src/audit/index.js";
import { renderAudit } from "../../src/report/index.js";
import type { Warehouse } from "../../src/warehouse/index.js";
import {
  audit,
  golden,
  publish,
  publishIn,
  scoresOf,
  type Expected,
  type Golden,
} from "../support/audit/published-case.js";
import { everyNth, isWhole } from "../support/whole.js";

const { variants, ...fields } = golden("codec-preference").expected[
  ""
] as Golden["expected"][string];
const variant = (name: string) => variants[name] as Expected;
const own = (kind: string) => (fields as Record<string, Expected>)[kind] as Expected;

const improved = (expected: Expected, by: (value: number) => number): Expected =>
  Object.fromEntries(
    Object.entries(expected).map(([item, row]) => [
      item,
      Number(by(typeof row === "number" ? row : (row.value as number)).toFixed(6)),
    ]),
  );

describe("an explanation that the published options do not state", () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await publish("codec-preference", []);
  });
  afterAll(() => {
    warehouse.close();
  });

  async function audited(
    kind: string,
    numbers: Expected,
    { options = {}, accept = [] }: { options?: object; accept?: Acceptance[] } = {},
  ): Promise<AuditReport> {
    await publishIn(warehouse, "exp2", [{ kind, scores: scoresOf(numbers), options }]);
    return audit(warehouse, {}, { accept });
  }
  const exitCode = ({ summary, correctness }: AuditReport) => auditExitCode(summary, correctness);
  const accepting = (kind: string, convention: string, experiment = "exp2"): Acceptance[] => [
    { experiment, kind, convention, reason: "As the study protocol says." },
  ];

  const unstated: readonly (readonly [string, string, Expected, string])[] = [
    ["Codec preference", "elo", variant("elo k=16 initial=1000"), "k=16"],
    ["exp2", "percent_chosen", variant("percent_chosen training=include"), "training=include"],
  ];
  test.each(everyNth(unstated, 2))(
    "of %s, %s exits with 2 and the lines that accept it, which make it explained",
    async (experiment, kind, numbers, convention) => {
      const report = await audited(kind, numbers);
      expect(report.findings.map((f) => f.verdict)).toEqual(["unstated"]);
      expect(report.summary).toMatchObject({ explained: 0, unexplained: 0 });
      expect(exitCode(report)).toBe(2);
      expect(renderAudit(report)).toContain(
        `accept:\n  - experiment: "exp2"\n    kind: ${kind}\n    convention: "${convention}"\n    reason: ""\n`,
      );
      const accepted = await audited(kind, numbers, {
        accept: accepting(kind, convention, experiment),
      });
      expect(accepted.summary).toMatchObject({ unstated: 0, unexplained: 0 });
      expect(accepted.summary.explained).toBe(report.summary.unstated);
      expect(accepted.accepted.map(({ state }) => state)).toEqual(["holds"]);
      expect(exitCode(accepted)).toBe(0);
      expect(renderAudit(accepted)).toContain("Accepted: As the study protocol says.");
    },
  );

  test("stated by the published options is explained", async () => {
    const report = await audited("elo", variant("elo k=16 initial=1000"), {
      options: { k: 16, start: 1000 },
    });
    expect(report.findings.map((f) => [f.verdict, f.explanation?.unstated])).toEqual([
      ["explained", ""],
    ]);
    expect(exitCode(report)).toBe(0);
  });

  const lines: readonly (readonly [string, string, (value: number) => number])[] = [
    ["a share raised by five points", "percent_chosen", (v) => v + 5],
    ["a share stretched by 1.13", "percent_chosen", (v) => 1.13 * v],
  ];
  test.each(everyNth(lines, 2))("%s exits with 1", async (_, kind, by) => {
    const report = await audited(kind, improved(own(kind), by));
    expect(report.findings.map((f) => f.verdict)).toEqual(["unexplained"]);
    expect(exitCode(report)).toBe(1);
    expect(renderAudit(report)).not.toContain("accept:");
  });

  test.each(["elo", "bayesian_elo"])("%s around another level follows", async (kind) => {
    const report = await audited(
      kind,
      improved(own(kind), (v) => v + 40),
    );
    expect(report.findings).toEqual([]);
    expect(exitCode(report)).toBe(0);
  });

  test.each([
    [
      "not_needed",
      own("elo"),
      "elo",
      "k=16",
      /elo of exp2 is no longer needed: the 8 numbers match without it/,
    ],
    [
      "does_not_hold",
      variant("elo k=16 initial=1000"),
      "elo",
      "k=24",
      /elo of exp2 does not hold: no result of the 8 numbers/,
    ],
    [
      "not_published",
      own("elo"),
      "win_loss",
      "training=include",
      /win_loss of exp2 is about no published number/,
    ],
  ] as const)(
    "an accepted convention that is %s is reported",
    async (state, numbers, kind, convention, text) => {
      const report = await audited("elo", numbers, { accept: accepting(kind, convention) });
      expect(report.accepted).toMatchObject([{ state, convention }]);
      expect(renderAudit(report)).toMatch(text);
    },
  );

  const open = Object.fromEntries(
    Object.entries(own("percent_chosen")).map(([item, row]) => {
      const value = Number(typeof row === "number" ? row : row.value);
      return [item, { value, ci_low: value - 7, ci_high: value + 7 }];
    }),
  );
  test.each([
    ["elo", variant("elo k=16 initial=1000"), "k=16 start=1000", "the export is torn"],
    ["percent_chosen", open, "training=include", "no formula gives these ends"],
  ] as const)(
    "an accepted convention of inconclusive %s could not be checked, which has its reason",
    async (kind, numbers, convention, why) => {
      await publishIn(warehouse, "exp2", [{ kind, scores: scoresOf(numbers) }]);
      const accept = accepting(kind, convention);
      const unsettled = new Map(why.includes("torn") ? [["exp2", why]] : []);
      const report = await audit(warehouse, {}, { accept }, unsettled);
      expect(report.accepted.map(({ state }) => state)).toEqual(["inconclusive"]);
      const text = renderAudit(report);
      expect(text).toContain(` numbers inconclusive: ${why}`);
      expect(text).toMatch(
        /of exp2 could not be checked: what its (8|24) numbers show is inconclusive\./,
      );
    },
  );
});

test.runIf(isWhole)(
  "one finding has all results with one cause, and one entry accepts it",
  async () => {
    const warehouse = await publish("codec-preference", []);
    const results = ["percent_chosen", "elo"].map((kind) => ({
      kind,
      scores: scoresOf(variant(`${kind} training=include`)),
    }));
    await publishIn(warehouse, "exp2", results);
    const report = await audit(warehouse);
    expect(describeFindings(report)).toMatchObject([
      {
        about: "percent_chosen and elo",
        found: "2 of 2 results that differ match",
        verdict: "unstated",
      },
    ]);
    expect(renderAudit(report)).toContain(
      "If the service counts this way, set conventions: { training: include }.",
    );
    expect(renderAudit(report)).toContain(`kind: "*"\n    convention: "training=include"`);
    const accept = [
      {
        experiment: "*",
        kind: "*",
        convention: "training=include",
        reason: "As the protocol says.",
      },
    ];
    const accepted = await audit(warehouse, {}, { accept });
    expect(accepted.accepted.map(({ state }) => state)).toEqual(["holds"]);
    expect(auditExitCode(accepted.summary, accepted.correctness)).toBe(0);
    warehouse.close();
  },
);

describe("conventions that give the same numbers", () => {
  const published = (dimension: string, kinds: readonly string[], variant = "") =>
    kinds.map((kind) => {
      const own = golden("two-dimensions").expected[dimension] as Golden["expected"][string];
      const numbers =
        variant === ""
          ? (own as Record<string, Expected>)[kind]
          : own.variants[`${kind} ${variant}`];
      return { kind, dimension, scores: scoresOf(numbers as Expected) };
    });
  const alike = ["incorrect=exclude_slates", "incorrect=include"];

  test("are all named, also where several results show one of them, and none is proposed", async () => {
    const warehouse = await publish("two-dimensions", [
      ...published("motion", ["percent_chosen", "elo"]),
      ...published("sharpness", ["percent_chosen", "elo"]),
    ]);
    const report = await audit(warehouse, { incorrect: "exclude_raters" });
    warehouse.close();
    expect(
      report.findings.map(({ explanation }) => [explanation?.name, explanation?.rivals]),
    ).toEqual(Array(4).fill(["incorrect=exclude_ratings", alike]));
    const says = new Set(
      report.rows.map(({ verdict, explanation }) => `${verdict} ${explanation}`),
    );
    expect([...says]).toEqual([
      `unstated undetermined: ${["incorrect=exclude_ratings", ...alike].join(" or ")}`,
    ]);
    expect(renderAudit(report)).toContain(
      "cannot distinguish it from: incorrect=exclude_slates; incorrect=include.",
    );
    expect(renderAudit(report)).not.toContain("accept:");
  });

  test("are proposed only where the numbers determine one", async () => {
    const warehouse = await publish("two-dimensions", published("motion", ["percent_chosen"]));
    const { findings, rows } = await audit(warehouse, { incorrect: "exclude_raters" });
    warehouse.close();
    const [finding] = findings;
    const of = (
      experiment_id: string,
      kind: string,
      dimension: string,
      rivals: readonly string[],
    ) => ({
      ...finding!,
      ...{ experiment_id, kind, dimension },
      explanation: { ...finding!.explanation!, rivals },
    });
    const proposed = (some: readonly (typeof findings)[number][]) =>
      describeFindings({ findings: some, rows }).flatMap(({ next }) =>
        next.map((entry) =>
          /experiment: "(.*)"\n +kind: "?([*\w]+)/.exec(entry)!.slice(1).join(" "),
        ),
      );
    const known = of("a", "elo", "motion", []);
    expect(proposed([known, of("b", "elo", "motion", [])])).toEqual(["* elo"]);
    expect(proposed([known, of("b", "elo", "motion", alike)])).toEqual(["a elo"]);
    expect(
      proposed([known, of("a", "percent_chosen", "motion", []), of("b", "elo", "motion", alike)]),
    ).toEqual(["a *"]);
    expect(proposed([known, of("a", "percent_chosen", "motion", alike)])).toEqual(["a elo"]);
    // An entry covers all dimensions: one that determines the convention is enough.
    expect(proposed([known, of("a", "elo", "sharpness", alike)])).toEqual(["a elo"]);
    expect(proposed([of("a", "elo", "motion", alike)])).toEqual([]);
    const [view] = describeFindings({ findings: [known, of("b", "elo", "motion", alike)], rows });
    expect(view?.caveats[0]).toBe(
      "In 1 of them (b), the published numbers cannot distinguish it from: incorrect=exclude_slates; incorrect=include.",
    );
  });
});
