import { join } from "node:path";
import { expect, test } from "vitest";
import { groupsOf } from "../../src/platform/index.js";
import {
  audit,
  golden,
  listIn,
  publish,
  scoresOf,
  type Expected,
} from "../support/audit/published-case.js";
import { everyNth } from "../support/whole.js";

const { variants, ...own } = golden("codec-preference").expected[""]!;
const scores = (expected: Expected | undefined) =>
  scoresOf(expected!) as { stimulus: string; value: number }[];
const elo = scores(own.elo);
const shares = scores(own.percent_chosen);
const training = scores(variants["percent_chosen training=include"]);
const other = { item: elo[1]!.stimulus };

const results = [
  { kind: "percent_chosen", scores: training.map((one, i) => (i === 7 ? shares[i]! : one)) },
  {
    kind: "elo",
    options: { k: 24 },
    scores: elo.map((one, i) => ({ ...one, rank: 8 - i, ...(i === 2 && other) })),
  },
  { kind: "", scores: scores(variants["elo k=16 initial=1000"]) },
  {
    kind: "win_loss",
    scores: scores(own.win_loss).map((one, i) => ({
      ...one,
      ...(i === 0 && { won: 1 }),
      kappa: { fleiss: 2 },
    })),
  },
  {
    kind: "bayesian_elo",
    scores: [...scores(own.bayesian_elo).slice(1), { stimulus: "nobody", value: 1 }],
  },
  { kind: "surprise", scores: shares },
];
const lists = {
  metrics: [
    { source: "exp2", kind: "percent_chosen", scores: training, options: { training: "include" } },
  ],
  leaderboards: [
    {
      id: "B1",
      name: "B",
      kind: "elo",
      experiment_ids: ["exp2"],
      scores: scores(own.elo).map((one) => ({ ...one, value: Math.round(one.value) })),
    },
  ],
};

const experiments = [
  ["whole", new Map<string, string>()],
  ["torn", new Map([["exp2", "the export is torn"]])],
] as const;

test.each(everyNth(experiments, 2))(
  "each number has the verdict and the sentence of the first rule that holds: a %s experiment",
  async (name, unsettled) => {
    const warehouse = await publish("codec-preference", results);
    await listIn(warehouse, lists);
    const { rows } = await audit(
      warehouse,
      {},
      { ignore: [{ field: "kappa", reason: "" }] },
      unsettled,
    );
    warehouse.close();
    const lines = groupsOf(rows, ({ published_in, kind, field, verdict, explanation }) =>
      [published_in, kind, field, verdict, explanation ?? "-"].join(" | "),
    );
    const text = [...lines].map(([line, { length }]) => `${length} | ${line}\n`).join("");
    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, `verdicts/${name}.txt`));
  },
);
