import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultConventions, allKernels } from "../../src/metrics/index.js";
import { seededRandom } from "../../src/platform/random.js";
import { runKernel } from "../../src/warehouse/run-kernel.js";
import { root } from "../support/root.js";

const kernels = await allKernels();

const worker = join(root, "dist/warehouse/worker.js");
const kernel = (name: string) => {
  const found = kernels[name];
  if (found === undefined) throw new Error(`there is no kernel ${name}`);
  return found;
};

const sources = {
  dimension_id: Int32Array.of(1, 1, 1, 2, 2, 2, 2),
  job_no: Int32Array.of(0, 1, 2, 0, 1, 2, 2),
  group_id: Int32Array.of(1, 1, 1, 2, 2, 2, 3),
  is_whole: Int8Array.of(1, 1, 1, 1, 1, 1, 0),
};

function comparisons() {
  const random = seededRandom(11);
  const column = (of: (i: number) => number) => Int32Array.from({ length: 600 }, (_, i) => of(i));
  const a = column(() => Math.floor(random() * 6));
  return {
    dimension_id: column((i) => 1 + Math.floor(i / 300)),
    job_no: column((i) => i % 3),
    a,
    b: a.map((item) => (item + 1 + Math.floor(random() * 5)) % 6),
    outcome: Int8Array.from(a, () => Math.floor(random() * 3) - 1),
    session: column((i) => Math.floor(i / 15)),
  };
}

test("a slow kernel gives the same tables beside the engine as here", async () => {
  expect(existsSync(worker)).toBe(true);
  const order = { name: "elo", conventions: defaultConventions, unread: [], sources };
  const here = kernel("elo").run(comparisons(), defaultConventions, order);
  const beside = await runKernel(
    kernel("elo"),
    { ...order, input: comparisons() },
    { worker, many: 600 },
  );
  expect(beside).toEqual(here);
  expect(beside.history?.value?.length).toBeGreaterThan(100);
});

test("an error in the thread is the kernel's error", async () => {
  const input = { dimension_id: new Int32Array(3).fill(1) };
  const order = {
    name: "bradley_terry",
    input,
    conventions: defaultConventions,
    unread: [],
    sources,
  };
  await expect(runKernel(kernel("bradley_terry"), order, { worker, many: 1 })).rejects.toThrow(
    /reading 'length'/,
  );
});
