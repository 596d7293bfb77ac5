import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { auditLake, verifyBundle, writeBundle, type LakeAudit } from "../../../src/audit/index.js";
import { unpackZip, writeZip } from "../../../src/audit/bundle/zip.js";
import { exitCodes, messageOf, RecountError } from "../../../src/platform/index.js";
import { startEmulator } from "../../../src/emulator/index.js";
import { folderOfTests } from "../../support/folder.js";
import { exportTo } from "../../support/export-to-lake.js";
import { goldenDir } from "../../support/golden-case.js";
import { auditSettings as settings } from "../../support/audit/settings.js";
import { auditText } from "../../support/audit-report.js";
import { zipOf } from "../../support/zip-archive.js";

const root = folderOfTests("recount-bundles");
const intact = join(root, "intact.zip");
const unpacked = join(root, "unpacked");
let names: string[];
let audit: LakeAudit;

beforeAll(async () => {
  const lake = join(root, "lake");
  const load = [join(goldenDir, "tiny-pairwise.json")];
  const service = await startEmulator({
    load,
    publishing: [{ kinds: ["elo"], conventions: { elo: { k: 16 } }, options: "none" }],
  });
  await exportTo(lake, service, { tables: ["ratings", "slates", "sessions", "results"] });
  await service.close();
  audit = await auditLake(lake, "Listen42", { ...settings, models: "audited" });
  audit.warehouse.close();
  await writeBundle(intact, lake, audit, settings, () => Promise.resolve("<!doctype html>"));
  names = await unpackZip(intact, unpacked);
});

type Index = Record<string, unknown> & { files: { path: string; sha256: string; bytes: number }[] };

async function repacked(
  file: string,
  change: (entries: Map<string, Buffer>) => void,
): Promise<void> {
  const entries = new Map(names.map((name) => [name, readFileSync(join(unpacked, name))]));
  change(entries);
  const contents = [...entries].map(([path, content], i) => {
    const at = join(root, `entry-${i}`);
    writeFileSync(at, content);
    return { path, content: { file: at } };
  });
  await writeZip(file, contents);
}

const indexed = (change: (index: Index) => object) => (file: string) =>
  repacked(file, (entries) => {
    const index = JSON.parse(entries.get("bundle.json")?.toString() ?? "") as Index;
    entries.set("bundle.json", Buffer.from(JSON.stringify(change(index))));
  });

const replaced =
  (name: RegExp, content: (old: Buffer) => Buffer | string, stated: readonly RegExp[]) =>
  (file: string) =>
    repacked(file, (entries) => {
      const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
      const replace = (path: string, to: Buffer, [next, ...rest]: readonly RegExp[]): void => {
        const [from, by] = [digest(entries.get(path) as Buffer), digest(to)];
        entries.set(path, to);
        const at = names.find((one) => next?.test(one));
        if (at === undefined) return;
        replace(at, Buffer.from(entries.get(at)?.toString().replaceAll(from, by) ?? ""), rest);
        const index = entries.get("bundle.json")?.toString() ?? "";
        entries.set("bundle.json", Buffer.from(index.replaceAll(from, by)));
      };
      const path = names.find((one) => name.test(one)) ?? "";
      replace(path, Buffer.from(content(entries.get(path) as Buffer)), stated);
    });
const index = /^bundle\.json$/;

/** A ZIP of one compressed entry that states `stated` bytes and unpacks to 64 MiB. */
function bomb(stated: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(1 << 26));
  const name = Buffer.from("bundle.json");
  const sizes = Buffer.alloc(16);
  sizes.writeUInt32LE(packed.length, 4);
  sizes.writeUInt32LE(stated, 8);
  sizes.writeUInt16LE(name.length, 12);
  const common = Buffer.concat([Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]), sizes]);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), common, name, packed]);
  const central = Buffer.concat([
    Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"),
    common,
    Buffer.alloc(14),
    name,
  ]);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

/** What is done to a bundle → what `recount verify` says, and its exit code. */
const damages: readonly [
  done: string,
  how: (file: string) => unknown,
  said: RegExp,
  code: number,
][] = [
  ["nothing", (file) => writeFileSync(file, readFileSync(intact)), /^$/, 0],
  ["no file", () => undefined, /no such file/, 4],
  ["a folder", (file) => execFileSync("mkdir", [file]), /not a regular file/, 4],
  ["a pipe", (file) => execFileSync("mkfifo", [file]), /not a regular file/, 4],
  [
    "half of it",
    (file) => writeFileSync(file, readFileSync(intact).subarray(0, 5000)),
    /not a complete ZIP file/,
    4,
  ],
  [
    "a bomb",
    (file) => writeFileSync(file, bomb(1 << 26)),
    /unpack to 67108864 bytes, more than the file has/,
    4,
  ],
  [
    "a bomb that states less",
    (file) => writeFileSync(file, bomb(1000)),
    /not a complete ZIP file/,
    4,
  ],
  [
    "no index",
    (file) => repacked(file, (all) => all.delete("bundle.json")),
    /bundle\.json is missing/,
    3,
  ],
  [
    "an entry added",
    (file) => repacked(file, (all) => all.set("x", Buffer.from(""))),
    /x is not part of the bundle/,
    3,
  ],
  [
    "an entry dropped",
    (file) => repacked(file, (all) => all.delete("audit.json")),
    /audit\.json is missing/,
    3,
  ],
  [
    "an entry outside",
    async (file) =>
      writeFileSync(
        file,
        (await zipOf({ "a/x": "" })).toString("latin1").replaceAll("a/x", "../"),
        "latin1",
      ),
    /not a complete ZIP file/,
    4,
  ],
  [
    "a path outside in the index",
    indexed((index) => ({ ...index, files: [{ ...index.files[0], path: "../../etc/passwd" }] })),
    /\.\.\/\.\.\/etc\/passwd is missing/,
    3,
  ],
  [
    "a project outside",
    indexed((index) => ({ ...index, project_id: "../x" })),
    /corrupted: project_id must be text of letters, digits and hyphens, not/,
    3,
  ],
  [
    "null for the files",
    indexed((index) => ({ ...index, files: null })),
    /corrupted: files must be a list/,
    3,
  ],
  [
    "tolerances that are text",
    indexed((index) => ({ ...index, settings: { ...settings, tolerances: { elo: "1" } } })),
    /settings\.tolerances\.elo must be a map/,
    3,
  ],
  [
    "another convention",
    indexed((all) => ({
      ...all,
      settings: {
        ...settings,
        conventions: { ...settings.conventions, elo: { ...settings.conventions.elo, k: 31 } },
      },
    })),
    /rerunning the audit gives other results/,
    3,
  ],
  [
    "an entry changed",
    replaced(/^sql\//, () => "select 1", []),
    /has changed: its digest does not match/,
    3,
  ],
  [
    "other SQL",
    replaced(/^sql\//, () => "select 1", [index]),
    /is not the SQL of this version \(.*\): verify with/,
    3,
  ],
  [
    "another part",
    replaced(/\/ratings\.parquet$/, () => "x", [index]),
    /is not what the manifest lists/,
    3,
  ],
  [
    "another part that the manifest lists",
    replaced(/\/ratings\.parquet$/, (old) => Buffer.from(old).fill(0xff, 8, old.length >> 1), [
      /manifest\.json$/,
      index,
    ]),
    /^The snapshot cannot be read: /,
    3,
  ],
  [
    "an audit that neither is there nor is listed",
    (file) =>
      repacked(file, (all) => {
        all.delete("audit.json");
        const listed = JSON.parse(all.get("bundle.json")?.toString() ?? "") as Index;
        const files = listed.files.filter(({ path }) => path !== "audit.json");
        all.set("bundle.json", Buffer.from(JSON.stringify({ ...listed, files })));
      }),
    /its audit cannot be run again: /,
    3,
  ],
  [
    "another audit",
    replaced(/^audit\.json$/, () => "{}", [index]),
    /rerunning the audit gives other results/,
    3,
  ],
  [
    "another order of its entries",
    (file) =>
      repacked(file, (all) => {
        const [[first, content] = []] = all;
        all.delete(first ?? "");
        all.set(first ?? "", content as Buffer);
      }),
    /repacking the contents gives other bytes than the file has/,
    3,
  ],
];

async function outcome(file: string): Promise<{ said: string; code: number }> {
  try {
    const { problems } = await verifyBundle(file);
    return {
      said: problems.join("\n"),
      code: problems.length === 0 ? exitCodes.ok : exitCodes.export,
    };
  } catch (error) {
    return {
      said: messageOf(error),
      code: error instanceof RecountError ? error.exitCode : exitCodes.internal,
    };
  }
}

it.each(damages)(
  "an evidence bundle that was replaced or rewritten is refused: %s",
  async (_, how, said, code) => {
    const file = join(root, "other.zip");
    rmSync(file, { recursive: true, force: true });
    await how(file);
    const found = await outcome(file);
    expect(found.said).toMatch(said);
    expect(found.code).toBe(code);
  },
);

it("an intact bundle verifies without the lake and gives the same audit, byte by byte", async () => {
  rmSync(join(root, "lake"), { recursive: true });
  const { problems, files, report } = await verifyBundle(intact);
  expect(problems).toEqual([]);
  expect(files).toBeGreaterThan(20);
  expect(report && auditText(report)).toBe(auditText(audit.report));
  expect(report?.findings.map((finding) => finding.explanation?.name)).toContain("k=16");
});

it("any changed byte is a problem", async () => {
  const bytes = readFileSync(intact);
  const within = (text: string): number => bytes.indexOf(text);
  // An entry's content, SQL, Parquet, a name, the central directory, an entry's date.
  const places = [
    within('"verdict"') + 4,
    within("-- grain") + 20,
    within("PAR1") + 200,
    within("bundle.json") + 3,
    bytes.length - 10,
    within("PK\u0003\u0004") + 11,
    ...[0.5, 1.5, 2.5, 3.5].map((part) => Math.floor((part / 4) * bytes.length)),
  ];
  for (const place of places) {
    const changed = Buffer.from(bytes);
    changed[place]! ^= 1;
    const file = join(root, "changed.zip");
    writeFileSync(file, changed);
    expect((await outcome(file)).said, `byte ${place}`).not.toBe("");
  }
});
