import { describe, expect, it } from "vitest";
import { takeLease } from "../../src/objects/lease.js";
import { promisesOfStores } from "../support/store-contract.js";
import { until } from "../support/until.js";
import { inBucket, objectsOf, objectStorageOfTests } from "./object-storage.js";

describe.runIf(process.env.RECOUNT_OBJECTS !== undefined)("object storage", () => {
  const tests = objectStorageOfTests(undefined, { lasts: 2000, renewed: 100, looked: 20 });
  promisesOfStores((name) => inBucket(`contract/${name}`));

  it.each([1, 2])(
    "is not taken away from another run by one that was stopped at write %i of its lock",
    async (nth) => {
      const objects = objectsOf(inBucket("contract"));
      const take = () => takeLease(objects, `stopped-${nth}.json`, () => Promise.resolve());
      let wake: (value?: undefined) => void = () => undefined;
      const woken = new Promise<undefined>((resolve) => {
        wake = resolve;
      });
      let puts = 0;
      tests.storage.decide(async ({ method, path }) => {
        if (method === "PUT" && path.includes("/stopped-") && ++puts === nth) await woken;
        return "pass" as const;
      });
      const stopped = take();
      await until(() => puts === nth);
      const other = await take();
      wake();
      await expect(stopped).rejects.toThrow(/is held by another run/);
      await other.publish("manifest.json", () => Promise.resolve());
      await other.release();
    },
  );

  it("lets one of twenty writers at once write what is not there, and replace what is", async () => {
    const objects = objectsOf(inBucket("contract"));
    const write = (tag: string | null) =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) => objects.put("race", `writer ${i} after ${tag}`, tag)),
      );
    const created = (await write(null)).filter((tag) => tag !== null);
    expect(created).toHaveLength(1);
    expect((await write(created[0] ?? "")).filter((tag) => tag !== null)).toHaveLength(1);
  });
});
