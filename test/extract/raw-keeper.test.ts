import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRawKeeper, type RawKeeper } from "../../src/extract/kept-bodies.js";
import { createLocalStore, type RawBody, type Unit } from "../../src/lake/index.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "recount-raw-"));
  mkdirSync(join(dir, "scratch"));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

function open(recorded: readonly RawBody[] = []): { keeper: RawKeeper; synced: string[] } {
  const synced: string[] = [];
  const store = createLocalStore(dir);
  const watched = {
    ...store,
    sync: (keys: readonly string[]) => store.sync(keys).then(() => void synced.push(...keys)),
  };
  return {
    keeper: createRawKeeper(watched, {
      projectId: "P",
      folder: "P/raw",
      scratch: join(dir, "scratch"),
      recorded,
    }),
    synced,
  };
}

async function keep(keeper: RawKeeper, texts: readonly string[]): Promise<Unit[]> {
  return Promise.all(
    texts.map(async (text) => {
      const sha256 = createHash("sha256").update(text).digest("hex");
      const file = join(dir, `${sha256}.json`);
      writeFileSync(file, text);
      await keeper.keep(file, sha256);
      rmSync(file);
      return { body: { sha256 } } as Unit;
    }),
  );
}

const bodies = [
  "[]",
  "[1]",
  JSON.stringify("x".repeat(1 << 17)),
  JSON.stringify("é".repeat(1 << 15)),
];
const keyOf = ({ body }: RawBody) => `P/raw/${body}.json.gz`;

it("makes all bodies durable before it lists them, and none that a snapshot has recorded", async () => {
  const first = open();
  const units = await keep(first.keeper, bodies);
  await first.keeper.kept(units.map(({ body }) => body?.sha256 ?? ""));
  expect(first.synced).toEqual([]);
  const kept = (await first.keeper.finish(units)) ?? [];
  expect(first.synced.toSorted()).toEqual(["P/raw", ...kept.map(keyOf)].toSorted());
  const second = open(kept);
  const more = await keep(second.keeper, [...bodies, "[2]"]);
  const all = (await second.keeper.finish(more)) ?? [];
  const added = all.filter(({ body }) => kept.every((one) => one.body !== body));
  expect(second.synced.toSorted()).toEqual(["P/raw", ...added.map(keyOf)].toSorted());
  expect(added).toHaveLength(1);
});

it("makes a body durable that an interrupted export left, and replaces a torn one", async () => {
  const interrupted = open();
  const units = await keep(interrupted.keeper, bodies);
  await interrupted.keeper.kept(units.map(({ body }) => body?.sha256 ?? ""));
  await interrupted.keeper.close();
  const left = (i: number) => join(dir, `P/raw/${units[i]?.body?.sha256 ?? ""}.json.gz`);
  writeFileSync(left(0), "");
  writeFileSync(left(1), readFileSync(left(2)));
  const next = open();
  const kept = (await next.keeper.finish(await keep(next.keeper, bodies))) ?? [];
  expect(next.synced.toSorted()).toEqual(["P/raw", ...kept.map(keyOf)].toSorted());
  for (const i of [0, 1]) expect(gunzipSync(readFileSync(left(i))).toString()).toBe(bodies[i]);
});
