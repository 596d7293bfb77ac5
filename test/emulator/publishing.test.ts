import { expect, test } from "vitest";
import { UsageError } from "../../src/platform/errors.js";
import { publishingRules } from "../../src/emulator/publishing/rules.js";
import { startEmulator } from "../../src/emulator/index.js";
import { ask, parsed } from "../support/http-client.js";
import { isWhole } from "../support/whole.js";

const refused: [rules: unknown, message: RegExp][] = [
  [{}, /the list of rules must be a list, .*, not \{\}/],
  [[{ kind: ["elo"] }], /unknown key entry 1, kind\. Did you mean kinds\?/],
  [
    [{}, { conventions: { training: "all" } }],
    /entry 2, conventions\.training must be one of exclude, include, only, not "all"/,
  ],
  [
    [{ conventions: { bayesian_elo: { rater_quality: { alpha: 10 } } } }],
    /entry 1, conventions\.bayesian_elo\.rater_quality needs beta, for example beta: /,
  ],
];

test.each(refused)("refuses %j", async (rules, message) => {
  expect(() => publishingRules(rules)).toThrow(UsageError);
  expect(() => publishingRules(rules)).toThrow(message);
  await expect(startEmulator({ publishing: rules as [] })).rejects.toThrow(message);
});

test.runIf(isWhole)(
  "over HTTP: later rules override earlier ones, for the experiment and kinds that they name",
  async () => {
    const publishing = [
      { experiment: "Cafeteria", rescale: { by: 0.5 } },
      {
        experiment: "Cafeteria",
        kinds: ["mean" as const],
        decimals: 1,
        rounding: "truncate" as const,
      },
      {
        experiment: "Cafeteria",
        kinds: ["stats" as const],
        conventions: { stats: { interval: "bootstrap" as const, bootstrap_samples: 20 } },
      },
    ];
    const results = async (rules: typeof publishing) => {
      const service = await startEmulator({ publishing: rules });
      const answer = await ask(service, "experiments/Cafeteria/results/");
      await service.close();
      return parsed<
        { kind: string; scores: Record<string, number>[]; options: Record<string, unknown> }[]
      >(answer);
    };
    const [usual, other] = [await results([]), await results(publishing)];
    const pick = (list: typeof usual, kind: string) => list.find((result) => result.kind === kind);
    const before = pick(usual, "mean")?.scores[0]?.value ?? NaN;
    const after = pick(other, "mean")?.scores[0]?.value ?? NaN;
    expect(after).toBe(Math.trunc(before * 5) / 10);
    expect(pick(other, "stats")?.scores[0]?.std).toBe(
      (pick(usual, "stats")?.scores[0]?.std ?? NaN) * 0.5,
    );
    expect(pick(other, "stats")?.options).toMatchObject({
      interval: "bootstrap",
      bootstrap_samples: 20,
      seed: 1,
    });
    expect(pick(usual, "stats")?.options).not.toHaveProperty("seed");
  },
);
