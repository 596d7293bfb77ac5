import { expect, test } from "vitest";
import { metricKinds } from "../../src/contract/schema.js";
import {
  conventionsSchema,
  conventionsWith,
  defaultConventions,
} from "../../src/metrics/conventions.js";
import { kinds, metricKind, registry } from "../../src/metrics/kinds.js";
import { readModels } from "../../src/warehouse/models.js";

test("every kind of the interface is defined, and Bradley-Terry, which studies without a service publish", () => {
  expect(kinds).toEqual(expect.arrayContaining([...metricKinds]));
  expect(kinds.filter((kind) => !metricKinds.some((own) => own === kind))).toEqual([
    "bradley_terry",
  ]);
});

test("a kind's conventions and defaults are part of the whole", () => {
  for (const { conventions, defaults } of registry) {
    expect(Object.keys(defaults)).toEqual(Object.keys(conventions));
    expect(conventionsSchema.properties).toMatchObject(conventions);
    expect(defaultConventions).toMatchObject(defaults);
  }
});

test("each kind has its model, and the audit's union reads every one", async () => {
  const models = await readModels();
  const union = models.find(({ name }) => name === "audit_recomputed");
  expect(union?.reads).toEqual(kinds.map((kind) => metricKind(kind).model).sort());
  for (const kind of kinds) {
    const sql = models.find(({ name }) => name === metricKind(kind).model)?.sql ?? "";
    const names = Object.fromEntries(
      Object.entries(metricKind(kind).columns ?? {}).map(([own, field]) => [field, own]),
    );
    for (const field of Object.keys(metricKind(kind).fields))
      expect(sql).toContain(names[field] ?? field);
    expect(union?.sql).toContain(`select '${kind}' as kind`);
  }
});

test("a partial group keeps the defaults of its other fields", () => {
  const conventions = conventionsWith({ training: "include", elo: { k: 16 } });
  expect(conventions).toEqual({
    ...defaultConventions,
    training: "include",
    elo: { ...defaultConventions.elo, k: 16 },
  });
});

test("rater quality replaces null as a whole", () => {
  const quality = { alpha: 10, beta: 2 };
  expect(
    conventionsWith({ bayesian_elo: { rater_quality: quality } }).bayesian_elo.rater_quality,
  ).toEqual(quality);
});
