import { afterAll, beforeAll, expect, test } from "vitest";
import { deflateRawSync } from "node:zlib";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { study, zipOf } from "../support/zip-archive.js";
import { until } from "../support/until.js";
import { ask, parsed, plain } from "../support/http-client.js";

let service: RunningEmulator;
beforeAll(async () => {
  service = await startEmulator({
    sample: false,
    limits: { fileBytes: 200_000, unpackedBytes: 8_000_000, entries: 500 },
  });
});
afterAll(() => service.close());

const create = async (filename = "d.zip") =>
  parsed<{ id: string; upload_url: string }>(
    await ask(service, "datasets/", { method: "POST", body: { name: "d", filename } }),
  );
const status = async (id: string) =>
  parsed<{ status: string; errors: string[] }>(await ask(service, `datasets/${id}/status/`));

async function processed(file: Buffer | string): Promise<{ id: string; status: string; errors: string[] }> {
  const { id, upload_url } = await create();
  expect((await plain(upload_url, { method: "PUT", body: file })).status).toBe(200);
  const end = await until(
    () => status(id),
    (now) => now.status !== "processing",
  );
  return { id, ...end };
}

test("folders are sources, files are conditions, other files are ignored", async () => {
  const files = {
    "s1/": "",
    "s1/reference.wav": "r",
    "s1/opus.wav": "o",
    "s2/opus.wav": "o",
    "__MACOSX/s1/._opus.wav": "x",
    "s1/.DS_Store": "x",
    "readme.pdf": "no media",
  };
  const { id, ...end } = await processed(await zipOf(files));
  expect(end).toEqual({ status: "ready", errors: [] });
  expect(parsed(await ask(service, `datasets/${id}/`))).toMatchObject({ num_stimuli: 3, status: "ready" });
});

test("a text file of addresses", async () => {
  const { id, ...end } = await processed(
    "https://media.example/s1/a.wav\nhttps://media.example/s1/b.wav\n\nhttps://media.example/s2/a.wav\n",
  );
  expect(end).toEqual({ status: "ready", errors: [] });
  expect(parsed(await ask(service, `datasets/${id}/`))).toMatchObject({ num_stimuli: 3 });
});

/** A ZIP of one stored or deflated entry that claims any name and sizes. */
function forged(
  name: string,
  content: Buffer,
  claimed: { size?: number; flags?: number; method?: number } = {},
): Buffer {
  const { size = content.length, flags = 0, method = 0 } = claimed;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(flags, 6);
  local.writeUInt16LE(method, 8);
  local.writeUInt32LE(content.length, 18);
  local.writeUInt32LE(size, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(20, 6);
  central.writeUInt16LE(flags, 8);
  central.writeUInt16LE(method, 10);
  central.writeUInt32LE(content.length, 20);
  central.writeUInt32LE(size, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + content.length, 16);
  return Buffer.concat([local, Buffer.from(name), content, central, Buffer.from(name), end]);
}

const zeros = (bytes: number) => deflateRawSync(Buffer.alloc(bytes));

test.each<[string, () => Buffer | string | Promise<Buffer>, RegExp]>([
  ["nothing", () => "", /empty/],
  ["not a ZIP", () => "hello", /not a readable ZIP/],
  ["random bytes", () => Buffer.from([80, 75, 3, 4, 0, 0, 255, 1, 2]), /not a readable ZIP/],
  ["a ZIP cut in the middle", async () => (await study(["s"], ["a", "b"])).subarray(0, 90), /not a readable ZIP/],
  ["path traversal", () => forged("../../etc/cron.d/x.wav", Buffer.from("x")), /cannot be read.*\.\./],
  ["an absolute path", () => forged("/etc/passwd.txt", Buffer.from("x")), /cannot be read.*absolute/],
  ["a backslash path", () => forged("..\\x.wav", Buffer.from("x")), /cannot be read/],
  [
    "a bomb by ratio",
    () => forged("s/a.wav", zeros(4_000_000), { size: 4_000_000, method: 8 }),
    /more than 200 times its size/,
  ],
  [
    "a bomb by size",
    () => forged("s/a.wav", zeros(9_000_000), { size: 9_000_000, method: 8 }),
    /at most 8000000 are read/,
  ],
  [
    "a bomb that lies about its size",
    () => forged("s/a.wav", zeros(4_000_000), { size: 10, method: 8 }),
    /cannot be read/,
  ],
  [
    "a bomb in a bomb",
    async () => zipOf({ "s/a.wav": "a", "s/inner.zip": await zipOf({ "x.wav": "x" }) }),
    /archive inside the archive/,
  ],
  [
    "too many entries",
    () => zipOf(Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`s/${i}.wav`, "x"]))),
    /501 entries/,
  ],
  ["no media", () => zipOf({ "notes.pdf": "x", "s/table.csv": "x" }), /no media/],
  ["duplicate names but for case", () => zipOf({ "s/a.wav": "1", "s/A.wav": "2" }), /used twice/],
  ["duplicate conditions", () => zipOf({ "s/a.wav": "1", "s/a.mp3": "2" }), /same name except for the extension/],
  ["too deep", () => zipOf({ "a/b/c.wav": "1" }), /deeper than source/],
  [
    "encrypted",
    () => forged("s/a.wav", Buffer.from("xxxxxxxxxxxxxxx"), { flags: 1, method: 8, size: 15 }),
    /encrypted/,
  ],
  ["invalid addresses", () => "https://media.example/a.wav\nnot an address\n", /Line 2/],
])("%s leads to an error with a message", async (_name, make, message) => {
  const end = await processed(await make());
  expect(end.status).toBe("error");
  expect(end.errors.join("\n")).toMatch(message);
  expect((await ask(service, "experiments/")).status).toBe(200);
});

test("the address is signed, expires, works once and limits the size", async () => {
  const { id, upload_url } = await create();
  const put = (url: string, body: Buffer | string = "x") => plain(url, { method: "PUT", body });
  expect((await put(upload_url.replace(/signature=..../, "signature=0000"))).status).toBe(403);
  expect((await put(upload_url.replace(/expires=2/, "expires=3"))).status).toBe(403);
  expect((await put(upload_url.replace(id, "Another1"))).status).toBe(404);
  expect((await plain(upload_url)).status).toBe(404);
  expect((await put(upload_url, Buffer.alloc(200_001))).status).toBe(413);
  expect((await status(id)).status).toBe("draft");
  expect(
    service.faults
      .journal()
      .filter(({ operation }) => operation === "upload")
      .every(({ path }) => !path.includes("signature")),
  ).toBe(true);
  expect((await put(upload_url, await study(["s"], ["a", "b"]))).status).toBe(200);
  expect((await put(upload_url, await study(["s"], ["a", "b"]))).status).toBe(403);
  const brief = await startEmulator({ sample: false, uploadSeconds: -1 });
  const late = parsed<{ upload_url: string }>(
    await ask(brief, "datasets/", { method: "POST", body: { name: "d", filename: "d" } }),
  );
  const refused = await put(late.upload_url);
  expect([refused.status, parsed<{ detail: string }>(refused).detail]).toEqual([
    403,
    "The upload address has expired.",
  ]);
  await brief.close();
});
