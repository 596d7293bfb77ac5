import { expect, test } from "vitest";
import { metricKinds } from "../../src/contract/schema.js";
import { conventionsSchema, defaultConventions } from "../../src/metrics/conventions.js";
import { registry, kinds, metricKind } from "../../src/metrics/kinds.js";
import { readModels } from "../../src/warehouse/models.js";

test("every kind of the interface is defined, and no other", () => {
  expect(kinds.toSorted()).toEqual([...metricKinds].sort());
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
  expect(union?.reads).toEqual(kinds.map((kind) => `metric_${kind}`).sort());
  for (const kind of kinds) {
    const sql = models.find(({ name }) => name === `metric_${kind}`)?.sql ?? "";
    const names = Object.fromEntries(
      Object.entries(metricKind(kind).columns ?? {}).map(([own, field]) => [field, own]),
    );
    for (const field of Object.keys(metricKind(kind).fields)) expect(sql).toContain(names[field] ?? field);
    expect(union?.sql).toContain(`select '${kind}' as kind`);
  }
});
