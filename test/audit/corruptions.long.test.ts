import { describe, expect, test } from "vitest";
import type { Kind } from "../../src/metrics/kinds.js";
import type { Corruption, PublishingRule } from "../../src/emulator/index.js";
import type { ConventionInput } from "../../src/emulator/scoring/convention.js";
import { fixtureOf } from "../support/audit/fixture.js";
import { auditPublished, isTrue } from "../support/audit/mutation.js";
import type { PlantedConvention } from "../support/audit/planted-conventions.js";

/** Corruptions of the numbers of a kind, by golden case. */
const corruptions: Readonly<Record<string, readonly (readonly [Kind, Corruption])[]>> = {
  "codec-preference": [
    ["win_loss", { damage: "drop_session", index: 7 }],
    ["win_loss", { damage: "double_slate", index: 200 }],
    ["win_loss", { damage: "tie_slate", index: 60 }],
    ["win_loss", { damage: "scale", item: "codec-c", field: "wins", by: 1.5 }],
    ["percent_chosen", { damage: "double_session", index: 11 }],
    ["percent_chosen", { damage: "flip_slate", index: 55 }],
    ["percent_chosen", { damage: "merge_items", from: "codec-a", to: "codec-b" }],
    ["percent_chosen", { damage: "stale", sessions: 9 }],
    ["percent_chosen", { damage: "swap_items", a: "codec-c", b: "codec-d" }],
    ["percent_chosen", { damage: "rename_item", from: "codec-a", to: "codec-z" }],
    ["percent_chosen", { damage: "add", item: "codec-c", field: "value", by: 0.5 }],
    ["elo", { damage: "drop_session", index: 7 }],
    ["elo", { damage: "double_session", index: 11 }],
    ["elo", { damage: "flip_session", index: 3 }],
    ["elo", { damage: "drop_slate", index: 100 }],
    ["elo", { damage: "stale", sessions: 1 }],
    ["elo", { damage: "drop_item", item: "codec-h" }],
    ["elo", { damage: "copy_item", from: "codec-a", to: "codec-b" }],
    ["bayesian_elo", { damage: "flip_session", index: 3 }],
    ["bayesian_elo", { damage: "drop_rater", index: 4 }],
    ["bayesian_elo", { damage: "stale", sessions: 9 }],
    ["bayesian_elo", { damage: "scale", item: "codec-c", field: "value", by: 1.01 }],
  ],
  acr: [
    ["mean", { damage: "drop_session", index: 7 }],
    ["mean", { damage: "double_slate", index: 7 }],
    ["stats", { damage: "drop_rater", index: 3 }],
  ],
  mushra: [
    ["mean", { damage: "round_scores", step: 10 }],
    ["stats", { damage: "round_scores", step: 1 }],
    ["mean", { damage: "shift_scores", by: 1, job: "job4a" }],
    ["stats", { damage: "swap_items", a: "opus-16", b: "opus-24" }],
  ],
  approval: [["percent_approved", { damage: "drop_session", index: 7 }]],
};

const published = async (file: string, kind: Kind, rules: readonly PublishingRule[]) =>
  auditPublished(await fixtureOf(file), kind, file === "acr" ? "quality" : "", rules);

/** In full and at one decimal. */
const precisions: readonly PublishingRule[] = [{}, { decimals: 1 }];
const atPrecisions = <T extends readonly unknown[]>(cases: Readonly<Record<string, readonly T[]>>) =>
  Object.entries(cases).flatMap(([file, own]) =>
    own.flatMap((one) => precisions.map((precision) => [file, ...one, precision] as const)),
  );

describe("30 planted corruptions are never explained away", () => {
  test.each(atPrecisions(corruptions))("%s %s %j %j", async (file, kind, corruption, precision) => {
    const { exact, explanation } = await published(file, kind, [{ corruption, ...precision }]);
    expect(exact, "the corruption shows").toBe(false);
    expect(explanation?.name ?? "unexplained").toBe("unexplained");
  });
});

const by = (name: string, conventions: ConventionInput): PlantedConvention => ({
  name,
  axis: name,
  rule: { conventions },
});
const k16 = by("k=16", { elo: { k: 16 } });
const trained = by("training=include", { training: "include" });
const oneCodec: Corruption = { damage: "add", item: "codec-c", field: "value", by: 0.7 };
const oneCodecScaled: Corruption = { damage: "scale", item: "codec-c", field: "value", by: 1.02 };
const twoCodecs: Corruption = { damage: "swap_items", a: "codec-c", b: "codec-d" };

/** A corruption of numbers names the items that it changes; one of answers can affect any number. */
const together: Readonly<Record<string, readonly (readonly [Kind, PlantedConvention, Corruption, string[] | null])[]>> =
  {
    "codec-preference": [
      ["elo", k16, oneCodec, ["codec-c"]],
      ["elo", k16, twoCodecs, ["codec-c", "codec-d"]],
      ["elo", k16, { damage: "stale", sessions: 2 }, null],
      [
        "elo",
        by("update=session_batch", { elo: { update: "session_batch" } }),
        { damage: "flip_session", index: 3 },
        null,
      ],
      ["elo", by("order=created", { order: "created" }), oneCodecScaled, ["codec-c"]],
      ["percent_chosen", trained, oneCodec, ["codec-c"]],
      [
        "percent_chosen",
        by("ties=half", { ties: { percent_chosen: "half" } }),
        { damage: "drop_session", index: 7 },
        null,
      ],
      ["percent_chosen", by("scale=fraction", { percent_scale: 1 }), twoCodecs, ["codec-c", "codec-d"]],
      ["win_loss", trained, { damage: "add", item: "codec-a", field: "wins", by: 1 }, ["codec-a"]],
      ["bayesian_elo", by("shape=2", { bayesian_elo: { shape: 2, rate: 0.05 } }), oneCodec, ["codec-c"]],
      [
        "bayesian_elo",
        by("labels=shifted", { bayesian_elo: { interval_labels: "shifted" } }),
        { damage: "drop_rater", index: 4 },
        null,
      ],
      ["bayesian_elo", by("incomplete=include", { incomplete: "include" }), oneCodecScaled, ["codec-c"]],
    ],
    acr: [
      ["mean", trained, { damage: "add", item: "sys2", field: "value", by: 0.2 }, ["sys2"]],
      ["mean", by("mean=rater_mean", { mean: "rater_mean" }), { damage: "drop_session", index: 7 }, null],
    ],
    mushra: [
      [
        "stats",
        by("sd=n", { stats: { sd: "n" } }),
        { damage: "swap_items", a: "opus-16", b: "opus-24" },
        ["opus-16", "opus-24"],
      ],
      ["stats", by("interval=normal", { stats: { interval: "normal" } }), { damage: "round_scores", step: 1 }, null],
    ],
    approval: [
      ["percent_approved", by("scale=fraction", { percent_scale: 1 }), { damage: "drop_session", index: 7 }, null],
    ],
  };

describe("a convention and a corruption together", () => {
  /** Cases in which the convention was named despite the corruption. */
  let named = 0;

  test.each(atPrecisions(together))(
    "%s %s %j %j %j %j",
    async (file, kind, plant, corruption, corrupted, precision) => {
      const { exact, explanation, missed } = await published(file, kind, [plant.rule, { corruption, ...precision }]);
      expect(exact, "it shows").toBe(false);
      if (explanation === null) return;
      expect(isTrue(explanation, [plant]), explanation.name).toBe(true);
      expect(missed.length, "the corrupted numbers are shown as not reproduced").toBeGreaterThan(0);
      if (corrupted !== null) expect(missed.toSorted()).toEqual(corrupted);
      named++;
    },
  );

  test("often still names the convention", () => {
    expect(named).toBeGreaterThanOrEqual(12);
  });
});
