import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { study, zipOf } from "../support/zip-archive.js";
import { until } from "../support/until.js";
import { ask, parsed, plain } from "../support/http-client.js";
import { testProject } from "../support/project.js";
import { isWhole } from "../support/whole.js";
import { systemClock } from "../../src/platform/index.js";

const { service } = await testProject({ sample: false, uploadBytes: 2_000_000 });

const create = async (filename = "d.zip") =>
  parsed<{ id: string; upload_url: string }>(
    await ask(service, "datasets/", { method: "POST", body: { name: "d", filename } }),
  );
const status = async (id: string) =>
  parsed<{ status: string; errors: string[] }>(await ask(service, `datasets/${id}/status/`));

async function processed(
  file: Buffer | string,
): Promise<{ id: string; status: string; errors: string[] }> {
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
  expect(parsed(await ask(service, `datasets/${id}/`))).toMatchObject({
    num_stimuli: 3,
    status: "ready",
  });
});

/** A ZIP whose entry has another name of the same length. */
const renamed = (zip: Buffer, from: string, to: string): Buffer =>
  Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");

const refused: [string, () => Buffer | string | Promise<Buffer>, RegExp][] = [
  ["nothing", () => "", /empty/],
  ["not a ZIP", () => "hello", /not a readable ZIP/],
  [
    "a ZIP cut in the middle",
    async () => (await study(["s"], ["a", "b"])).subarray(0, 90),
    /not a readable ZIP/,
  ],
  [
    "path traversal",
    async () => renamed(await zipOf({ "xx/yy/zz.wav": "x" }), "xx/yy/", "../../"),
    /\.\./,
  ],
  [
    "an absolute path",
    async () => renamed(await zipOf({ "xx/zz.wav": "x" }), "xx/", "//x"),
    /absolute/,
  ],
  ["no media", () => zipOf({ "notes.pdf": "x", "s/table.csv": "x" }), /no media/],
  [
    "duplicate names but for case",
    () => zipOf({ "s/a.wav": "1", "s/A.wav": "2" }),
    /the same folder and name/,
  ],
  [
    "duplicate conditions",
    () => zipOf({ "s/a.wav": "1", "s/a.mp3": "2" }),
    /the same folder and name/,
  ],
  ["too deep", () => zipOf({ "a/b/c.wav": "1" }), /deeper than source/],
];
const tooMany = () =>
  zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`s/${i}.wav`, ""])));
if (isWhole) refused.push(["too many entries", tooMany, /10001 entries/]);

test.each(refused)("%s leads to an error with a message", async (_name, make, message) => {
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
  expect((await put(upload_url, Buffer.alloc(2_000_001))).status).toBe(413);
  expect((await status(id)).status).toBe("draft");
  expect(
    service.faults
      .journal()
      .filter(({ operation }) => operation === "upload")
      .every(({ path }) => !path.includes("signature")),
  ).toBe(true);
  expect((await put(upload_url, await study(["s"], ["a", "b"]))).status).toBe(200);
  expect((await put(upload_url, await study(["s"], ["a", "b"]))).status).toBe(403);
  const clock = { ...systemClock, ahead: 0, now: () => new Date(Date.now() + clock.ahead) };
  const brief = await startEmulator({ sample: false }, clock);
  const late = parsed<{ upload_url: string }>(
    await ask(brief, "datasets/", { method: "POST", body: { name: "d", filename: "d" } }),
  );
  clock.ahead = 3_601_000;
  const refused = await put(late.upload_url);
  expect([refused.status, parsed<{ detail: string }>(refused).detail]).toEqual([
    403,
    "The upload address has expired.",
  ]);
  await brief.close();
});
