import { describe, expect, test } from "vitest";
import type { Kind } from "../../src/audit/kinds.js";
import type { Corruption } from "../../src/service/index.js";
import { auditPublished, bedOf, planted, tryPlanted, type Outcome } from "./mutation.js";

const beds: [file: string, dimension: string, kinds: Kind[]][] = [
  ["codec-preference", "", ["win_loss", "percent_chosen", "elo", "bayesian_elo"]],
  ["two-dimensions", "motion", ["win_loss", "percent_chosen", "elo", "bayesian_elo"]],
  ["acr", "quality", ["mean", "stats"]],
  ["mushra", "", ["mean", "stats"]],
  ["approval", "", ["percent_approved", "mean", "stats"]],
];

/** Every nth combination of two is tried here for the kinds that take long; docs/audit.md has the table of all. */
const strides: Partial<Record<Kind, number>> = { elo: 5, bayesian_elo: 5 };

describe("the local service publishes under other conventions, and the audit names them", () => {
  test.each(beds)("%s %s", async (file, dimension, kinds) => {
    const bed = await bedOf(file);
    const confusion: Record<Outcome, number> = { "no difference": 0, rightly: 0, wrongly: 0, "not at all": 0 };
    const missed: string[] = [];
    for (const kind of kinds) {
      const all = planted(bed, kind, dimension);
      const chosen = all.filter((h, i) => h.length === 1 || i % (strides[kind] ?? 1) === 0);
      for (const [i, hypotheses] of chosen.entries()) {
        const trial = tryPlanted(bed, kind, dimension, hypotheses, i % 2 === 0 ? undefined : 1);
        confusion[trial.outcome]++;
        if (trial.outcome === "wrongly" || trial.outcome === "not at all") {
          missed.push(`${kind} ${trial.planted}: ${trial.outcome} ${trial.explanation?.name ?? ""}`);
        }
      }
    }
    expect(missed.filter((m) => m.includes("wrongly"))).toEqual([]);
    expect(confusion.rightly, missed.join("\n")).toBeGreaterThanOrEqual(0.95 * (confusion.rightly + confusion["not at all"]));
    expect(confusion.rightly).toBeGreaterThan(20);
  });
});

const corruptions: [file: string, dimension: string, kind: Kind, Corruption][] = [
  ["codec-preference", "", "win_loss", { damage: "drop_session", index: 7 }],
  ["codec-preference", "", "win_loss", { damage: "double_slate", index: 200 }],
  ["codec-preference", "", "win_loss", { damage: "tie_slate", index: 60 }],
  ["codec-preference", "", "win_loss", { damage: "scale", item: "codec-c", field: "wins", by: 1.5 }],
  ["codec-preference", "", "percent_chosen", { damage: "double_session", index: 11 }],
  ["codec-preference", "", "percent_chosen", { damage: "flip_slate", index: 55 }],
  ["codec-preference", "", "percent_chosen", { damage: "merge_items", from: "codec-a", to: "codec-b" }],
  ["codec-preference", "", "percent_chosen", { damage: "stale", sessions: 9 }],
  ["codec-preference", "", "percent_chosen", { damage: "swap_items", a: "codec-c", b: "codec-d" }],
  ["codec-preference", "", "percent_chosen", { damage: "rename_item", from: "codec-a", to: "codec-z" }],
  ["codec-preference", "", "percent_chosen", { damage: "add", item: "codec-c", field: "value", by: 0.5 }],
  ["codec-preference", "", "elo", { damage: "drop_session", index: 7 }],
  ["codec-preference", "", "elo", { damage: "double_session", index: 11 }],
  ["codec-preference", "", "elo", { damage: "flip_session", index: 3 }],
  ["codec-preference", "", "elo", { damage: "drop_slate", index: 100 }],
  ["codec-preference", "", "elo", { damage: "stale", sessions: 1 }],
  ["codec-preference", "", "elo", { damage: "drop_item", item: "codec-h" }],
  ["codec-preference", "", "elo", { damage: "copy_item", from: "codec-a", to: "codec-b" }],
  ["codec-preference", "", "bayesian_elo", { damage: "flip_session", index: 3 }],
  ["codec-preference", "", "bayesian_elo", { damage: "drop_rater", index: 4 }],
  ["codec-preference", "", "bayesian_elo", { damage: "stale", sessions: 9 }],
  ["codec-preference", "", "bayesian_elo", { damage: "scale", item: "codec-c", field: "value", by: 1.01 }],
  ["acr", "quality", "mean", { damage: "drop_session", index: 7 }],
  ["acr", "quality", "mean", { damage: "double_slate", index: 7 }],
  ["acr", "quality", "stats", { damage: "drop_rater", index: 3 }],
  ["mushra", "", "mean", { damage: "round_scores", step: 10 }],
  ["mushra", "", "stats", { damage: "round_scores", step: 1 }],
  ["mushra", "", "mean", { damage: "shift_scores", by: 1, job: "job4a" }],
  ["mushra", "", "stats", { damage: "swap_items", a: "opus-16", b: "opus-24" }],
  ["approval", "", "percent_approved", { damage: "drop_session", index: 7 }],
];

describe("30 planted corruptions are never explained away", async () => {
  const made = await Promise.all(["codec-preference", "acr", "mushra", "approval"].map(async (file) => [file, await bedOf(file)] as const));
  const byFile = new Map(made);

  test.each(corruptions)("%s %s %s %j", (file, dimension, kind, corruption) => {
    const bed = byFile.get(file);
    if (bed === undefined) throw new Error(file);
    for (const decimals of [undefined, 1]) {
      const rules = [{ corruption, options: "none" as const, ...(decimals === undefined ? {} : { decimals }) }];
      const { exact, explanation } = auditPublished(bed, kind, dimension, rules);
      expect(exact, "the corruption shows").toBe(false);
      expect(explanation?.name ?? "unexplained").toBe("unexplained");
    }
  });
});
