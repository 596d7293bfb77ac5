import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readManifest, verifyProject } from "../../src/lake/index.js";
import { RecountError } from "../../src/platform/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { reseal } from "../support/reseal.js";
import { testProject } from "../support/project.js";

const { service, path } = await testProject();
const project = service.projectId;
const lake = path("lake");
const { snapshot: id, dir } = await exportTo(lake, service, { tables: ["ratings"] });
const file = join(dir, "manifest.json");
const intact = readFileSync(file, "utf8");

/** Paths of every value in a manifest; of lists only the first element. */
function placesIn(value: unknown): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [];
  const entries = Array.isArray(value)
    ? value.slice(0, 1).map((one, i) => [i, one] as const)
    : Object.entries(value);
  return entries.flatMap(([name, one]: readonly [string | number, unknown]) => [
    [name],
    ...placesIn(one).map((rest) => [name, ...rest]),
  ]);
}

function changed(
  value: unknown,
  [name, ...rest]: readonly (string | number)[],
  to: unknown,
): unknown {
  if (name === undefined) return to;
  const copy = (
    Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }
  ) as Record<string, unknown>;
  if (rest.length === 0 && to === undefined) Reflect.deleteProperty(copy, name);
  else copy[name] = changed(copy[name], rest, to);
  return copy;
}

const values = [undefined, null, true, -1, 2.5, 1e300, "", "x", [], [null], {}, { a: 1 }];

it("a malformed manifest under a valid seal is a finding, wherever a value of another type is put", async () => {
  const places = placesIn(JSON.parse(intact));
  const cases = places.flatMap((place) => values.map((value) => ({ place, value })));
  expect(cases.length).toBeGreaterThan(500);
  const wrong: unknown[] = [];
  for (const { place, value } of cases) {
    reseal(file, (manifest) => changed(manifest, place, value) as object);
    const thrown = await readManifest(lake, project, id).then(
      () => null,
      (error: unknown) => error,
    );
    if (thrown !== null && !(thrown instanceof RecountError)) wrong.push({ place, value, thrown });
    // What is still a manifest is also verified, which takes longer.
    if (thrown === null)
      await verifyProject(lake, project).catch((error: unknown) =>
        wrong.push({ place, value, error }),
      );
    writeFileSync(file, intact);
  }
  expect(wrong).toEqual([]);
});
