import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createScanner, shapeOf } from "../../../src/extract/json/index.js";

const dir = mkdtempSync(join(tmpdir(), "recount-scanner-"));
afterAll(() => rmSync(dir, { recursive: true }));

const body = `[${Array.from({ length: 40_000 }, (_, i) => `{"score":${i % 5},"slate_id":${i},"stimulus":"item é ${i}","meta":{"n":[${i},"]"]}${i > 9 ? `,"mood":${i}` : ""}}`).join(",")}]`;
const file = join(dir, "body.json");
writeFileSync(file, body);
const size = Buffer.byteLength(body);
const shape = shapeOf("ratings");

it.each(["crashes", "says nothing and ends"])("a worker that %s leaves the body in doubt", async (how) => {
  const worker = join(dir, `${how.length}.mjs`);
  writeFileSync(worker, how === "crashes" ? "throw new Error('planted')" : "");
  const scanner = createScanner(worker);
  for (let times = 0; times < 2; times++) {
    const scanning = scanner.scan(file, shape);
    scanning.advance(size);
    expect((await scanning.finish(size)).conforms).toBe(false);
  }
  const short = join(dir, "short.json");
  writeFileSync(short, '[{"slate_id":1}]');
  expect(await scanner.scan(short, shape).finish(16)).toMatchObject({ conforms: true, elements: 1 });
  const held = Buffer.from('[{"slate_id":1},{"slate_id":2}]');
  expect(await scanner.scan(join(dir, "nowhere.json"), shape).finish(held.length, held)).toMatchObject({
    conforms: true,
    elements: 2,
  });
  await scanner.close();
});

const built = resolve(import.meta.dirname, "../../../dist/extract/json/scan-worker.js");

it("the worker is built: run `npm run build` first", () => {
  expect(existsSync(built)).toBe(true);
});

it.each([built, "nowhere.js"])("scans a file piece by piece, several at once (%#)", async (worker) => {
  const scanner = createScanner(worker);
  const broken = join(dir, "broken.json");
  writeFileSync(broken, body.slice(0, -1));
  const [whole, cut, gone] = [scanner.scan(file, shape), scanner.scan(broken, shape), scanner.scan(file, shape)];
  for (const scanning of [whole, cut, gone]) scanning.advance(2 << 20);
  gone.drop();
  expect(await whole.finish(size)).toEqual({
    conforms: true,
    elements: 40_000,
    doubtful: [],
    isFlawed: false,
    rows: { ratings: 40_000 },
    ordered: ["ratings"],
    unknown: { ratings: [{ name: "mood", count: 39_990, isEverywhere: false }] },
  });
  expect((await cut.finish(size - 1)).conforms).toBe(false);
  await scanner.close();
});
