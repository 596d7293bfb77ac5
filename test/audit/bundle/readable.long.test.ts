import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { unpackZip } from "../../../src/audit/bundle/zip.js";
import type { AuditReport } from "../../../src/audit/index.js";
import { recountHere } from "../../support/in-process.js";
import { goldenLake } from "../../support/kept.js";
import { plainRows } from "../../support/plain-duckdb.js";
import { everyNth } from "../../support/whole.js";

/** The recomputed numbers of a field in the audit, as `dimension source item: number`, rounded to 10 digits. */
const numbersOf = ({ rows }: AuditReport, kind: string, field: string) =>
  new Map(
    rows
      .filter((row) => row.kind === kind && row.field === field && row.recomputed !== null)
      .map(({ dimension, source, item, recomputed }) => [
        `${dimension} ${source} ${item}`,
        Number(recomputed!.toPrecision(10)),
      ]),
  );

/** What the text of a metric answers in the bundle's folder, without Recount. */
const answerOf = (folder: string, sql: string) => plainRows(undefined, `set file_search_path = '${folder}'`, sql);

/** Pure kinds of a case, with the columns that are fields of the audit; and kinds with the input of their formula. */
const cases = [
  {
    name: "tiny-pairwise",
    pure: { win_loss: ["wins", "losses", "ties"], percent_chosen: ["value", "n"] },
    inputs: ["elo"],
  },
  { name: "approval", pure: { percent_approved: ["value", "n"] }, inputs: [] },
  { name: "acr", pure: { mean: ["value", "n"] }, inputs: ["stats"] },
] as const;

test.each(everyNth(cases, 3))(
  "the texts of a bundle give the numbers of $name without Recount",
  async ({ name, pure, inputs }) => {
    const folder = mkdtempSync(join(tmpdir(), "recount-readable-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "evidence.zip");
    const unpacked = join(folder, "unpacked");
    const { stderr } = await recountHere(["audit", "--lake", await goldenLake(name), "--bundle", file]);
    expect(stderr).toBe("");
    expect(await recountHere(["verify", file])).toMatchObject({ code: 0, stderr: "" });
    const bytes = readFileSync(file);
    bytes[bytes.indexOf("PAR1") + 200]! ^= 1;
    writeFileSync(`${file}.changed`, bytes);
    expect(await recountHere(["verify", `${file}.changed`])).toMatchObject({ code: 3 });
    await unpackZip(file, unpacked);
    const read = (path: string) => readFileSync(join(unpacked, path), "utf8");
    const report = JSON.parse(read("audit.json")) as AuditReport;
    for (const [kind, fields] of Object.entries(pure)) {
      const rows = await answerOf(unpacked, read(`queries/${kind}.sql`));
      expect(rows.length).toBeGreaterThan(2);
      for (const field of fields) {
        const found = new Map(
          rows.map((row) => [
            [row.dimension, row.source, row.item].map((part) => part as string).join(" "),
            Number(Number(row[field]).toPrecision(10)),
          ]),
        );
        const expected = numbersOf(report, kind, field);
        expect(expected.size, `${kind} ${field}`).toBeGreaterThan(2);
        for (const [key, value] of expected) expect([key, found.get(key)]).toEqual([key, value]);
      }
    }
    for (const kind of inputs)
      expect((await answerOf(unpacked, read(`queries/${kind}.sql`))).length).toBeGreaterThan(9);

    const [head, ...lines] = read("audit.csv").trimEnd().split("\r\n");
    expect(head).toMatch(/^experiment_id,experiment_name,published_in,kind,/);
    expect(lines.length).toBe(report.rows.length);
    const readme = read("README.txt");
    expect(readme.split("\n").findIndex((line) => line.startsWith("WHO CAN BE IDENTIFIED"))).toBeLessThan(10);
    for (const named of ["report.html", "audit.csv", "bundle.json", "audit.json", "recount verify", "queries/"])
      expect(readme).toContain(named);
    // The name is nobody's on the registry: who runs what has it there runs a stranger's code.
    expect(readme).not.toMatch(/npm i(nstall)? (-\S+ )*recount|npx (-\S+ )*recount/);
    expect(read("report.html")).toContain("<h2");
    const [ratings] = await answerOf(unpacked, "select count(*) as n from 'lake/*/snapshots/*/**/ratings.parquet'");
    expect(Number(ratings?.n)).toBeGreaterThan(9);
  },
);
