import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countVerdicts, type AuditReport } from "../../src/audit/index.js";
import { kinds } from "../../src/metrics/index.js";
import { thousands } from "../../src/platform/index.js";
import { transform } from "../../src/pipeline/index.js";
import { goldenPaths } from "../support/golden-case.js";
import { bin, recount } from "../support/command-line.js";
import { recountHere } from "../support/in-process.js";
import { copyOf, goldenLake, goldenProject } from "../support/kept.js";
import { plainRows } from "../support/plain-duckdb.js";
import { testProject } from "../support/project.js";
import { everyNth, isWhole } from "../support/whole.js";
import { root } from "../support/root.js";

const project = await testProject({
  load: goldenPaths("tiny-pairwise", "codec-preference"),
  publishing: [
    {
      experiment: "exp2",
      kinds: ["percent_chosen"],
      conventions: { training: "include" },
      options: "silent",
    },
  ],
});
const { env, folder: dir, path, service } = project;
const lake = path("lake");
const exported = await recount(["export", "--lake", lake, "--id", "exp2"], env);

describe("the command line", () => {
  it("exports with only environment variables and a lake", () => {
    expect(exported).toMatchObject({ code: 0 });
    expect(exported.stdout).toMatch(/^Exported [\d,]+ rows from [\d.]+ kB in [\d.]+ s: /);
    expect(exported.stderr).toContain(": 1 of 2 experiments.");
  });

  it.runIf(isWhole)(
    "shows 40 rows of a table and the total, and as many as asked for",
    async () => {
      const query = async (...rest: string[]) =>
        (await recountHere(["query", ...rest, "--lake", lake])).stdout;
      const lines = (await query("from sessions")).trim().split("\n");
      expect(lines.length).toBe(43);
      expect(lines.at(-1)).toMatch(/^\d+ rows, 40 shown\. Pass --rows all to see all\.$/);
      expect((await query("from sessions", "--rows", "all")).split("\n").length).toBeGreaterThan(
        60,
      );
      expect(
        (await query("from ratings", "--rows", "2", "--format", "jsonl")).trim().split("\n").length,
      ).toBe(2);
      const listed = async (...rest: string[]) =>
        (await query("show tables;", "--rows", "all", ...rest)).split("\n");
      const isInternal = (line: string) => /^(int|key|fit|stg|audit|assert)_/.test(line);
      const shown = await listed();
      expect(shown[1]).toMatch(/^comparisons +one comparison that counts/);
      expect(shown.filter(isInternal)).toEqual([]);
      const all = await listed("--all");
      expect(all.filter((line) => line.startsWith("assert_")).length).toBeGreaterThan(10);
      expect(all.findIndex(isInternal)).toBe(shown.length - 3);
      expect(
        await recountHere(["query", "select 1", "--rows", "some", "--lake", lake]),
      ).toMatchObject({ code: 4 });
    },
  );

  it("takes a query from a file, and the format from the ending of the output", async () => {
    const sql = join(dir, "query.sql");
    writeFileSync(sql, "-- one row\nselect repeat('x', 500) as x, 1 as n;\n");
    const endings = ["parquet", "csv", "json", "jsonl", "arrow", "txt"];
    for (const ending of everyNth(endings, 4)) {
      const file = join(dir, `by-ending.${ending}`);
      expect(await recountHere(["query", "-f", sql, "-o", file, "--lake", lake])).toMatchObject({
        code: 0,
      });
      expect(readFileSync(file).length).toBeGreaterThan(500);
    }
    const unknown = await recountHere([
      "query",
      "-f",
      sql,
      "-o",
      join(dir, "x.doc"),
      "--lake",
      lake,
    ]);
    expect(unknown).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("unknown file extension") as string,
    });
    const both = await recountHere(["query", "select 1", "-f", sql, "--lake", lake]);
    expect(both).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("Pass one of them") as string,
    });
  });

  it.runIf(isWhole).each(["table", "csv", "jsonl", "arrow"])(
    "ends at once, with nothing left behind, when nobody reads its %s any more",
    async (format) => {
      const temp = join(dir, `temp-${format}`);
      mkdirSync(temp);
      const endless = "select range, repeat('x', 100) as x from range(1000000000)";
      const child = spawn(
        process.execPath,
        [bin, "query", endless, "--format", format, "--rows", "all", "--lake", lake],
        { env: { ...process.env, TMPDIR: temp }, stdio: ["ignore", "pipe", "inherit"] },
      );
      child.stdout.once("data", () => child.stdout.destroy());
      expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
      // The folder of this user's temporary files stays, empty.
      expect(readdirSync(temp, { recursive: true })).toEqual([
        `recount-${process.geteuid?.() ?? ""}`,
      ]);
    },
  );

  it("writes a query's file only when it is complete, and its CSV runs no formula", async () => {
    mkdirSync(join(dir, "new"));
    const file = join(dir, "new/safe.csv");
    const query = (sql: string, ...rest: string[]) =>
      recountHere(["query", sql, "--lake", lake, "--format", "csv", ...rest]);
    const formula = "select '=1+1' as cell, -1 as number";
    expect(await query(formula, "-o", file)).toEqual({
      code: 0,
      stdout: `Wrote ${file}, 21 B\n`,
      stderr: "",
    });
    expect(readFileSync(file, "utf8")).toBe("cell,number\n'=1+1,-1\n");
    expect(await query("select error('late') from ratings", "-o", file)).toMatchObject({ code: 4 });
    expect(readFileSync(file, "utf8")).toBe("cell,number\n'=1+1,-1\n");
    expect(readdirSync(join(dir, "new"))).toEqual(["safe.csv"]);
    expect((await query(formula)).stdout).toBe("cell,number\n=1+1,-1\n");
    expect((await query(`from '${file}'`, "--unsafe")).stdout).toBe("cell,number\n'=1+1,-1\n");
    expect(await query(`from '${file}'`)).toMatchObject({ code: 4, stdout: "" });
  });

  it("judges a part of the audit, and says what it leaves out", async () => {
    const json = join(dir, "part.json");
    const both = path("both");
    expect(await recountHere(["export", "--lake", both], env)).toMatchObject({ code: 0 });
    const audit = async (...args: string[]) => {
      const { code, stdout } = await recountHere([
        "audit",
        "--lake",
        both,
        "--json",
        json,
        ...args,
      ]);
      return { code, stdout, report: JSON.parse(readFileSync(json, "utf8")) as AuditReport };
    };
    const whole = await audit();
    const part = async (experiment: string | null, kind: string | null) => {
      const flags = { experiment, kind };
      const own = await audit(
        ...Object.entries(flags).flatMap(([flag, value]) =>
          value === null ? [] : [`--${flag}`, value],
        ),
      );
      const isMeant = (row: AuditReport["rows"][number]) =>
        (experiment ?? row.experiment_id) === row.experiment_id && (kind ?? row.kind) === row.kind;
      expect(own.report.rows).toEqual(whole.report.rows.filter(isMeant));
      expect(own.report.findings).toEqual(
        whole.report.findings
          .filter((one) => experiment === null || one.experiment_id === experiment)
          .filter((one) => kind === null || one.kind === kind),
      );
      const others = countVerdicts(whole.report.rows.filter((row) => !isMeant(row)));
      expect(own.report.part).toEqual({ experiment_id: experiment, kind, others });
      const left = Object.values(others).reduce((sum, count) => sum + count);
      expect(own.stdout.replaceAll("\n", " ")).toContain(
        `This covers ${[kind, experiment].filter(Boolean).join(" of ")}; ${thousands(left)} other published numbers are left out (`,
      );
      return own;
    };
    expect((await part("exp1", null)).code).toBe(0);
    expect((await part("exp2", "percent_chosen")).code).toBe(2);
    if (isWhole) {
      expect((await part("exp2", null)).code).toBe(2);
      expect((await part(null, "elo")).code).toBe(0);
    }
    for (const [args, line] of [
      [["--experiment", "exp9"], 'No published result of an experiment "exp9". Did you mean exp1?'],
      [["--kind", "eloo"], 'No published result of kind "eloo". Published: '],
      [
        ["--kind", "elo", "--bundle", join(dir, "part.zip")],
        "--bundle holds the whole audit: leave out",
      ],
    ] as const) {
      const refused = await recountHere(["audit", "--lake", both, ...args]);
      expect(refused).toMatchObject({ code: 4, stdout: "" });
      expect(refused.stderr).toContain(line);
    }
  });

  it("writes the models as Parquet and DuckDB", async () => {
    const own = copyOf(await goldenLake("tiny-pairwise"));
    const { code, stdout } = await recountHere(["transform", "--lake", own]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/metric_bayesian_elo +\d+/);
    const derived = join(own, goldenProject, "derived");
    const [snapshot = ""] = readdirSync(join(own, goldenProject, "snapshots"));
    expect(readdirSync(join(derived, snapshot))).toEqual(
      expect.arrayContaining(["metric_elo", "leaderboard", "recount.duckdb"]),
    );
    const file = join(derived, snapshot, "recount.duckdb");
    expect((await recountHere(["audit", "--lake", own])).stderr).toBe("");
    expect(await plainRows(file, "select count(*)::integer as n from ratings")).toEqual([
      { n: 32 },
    ]);
    const verdicts =
      "select verdict, count(*)::integer as n from published_vs_recomputed group by verdict";
    const asked = await recountHere(["query", verdicts, "--lake", own, "--format", "json"]);
    expect(await plainRows(file, verdicts)).toEqual(JSON.parse(asked.stdout));
    const checks =
      "select distinct schema_name from duckdb_views() where view_name like 'assert_%'";
    expect(await plainRows(file, checks)).toEqual([{ schema_name: "checks" }]);
    expect(
      await plainRows(
        file,
        "from duckdb_tables() where schema_name = 'main' and table_name similar to '(int|key|fit|stg)_.*'",
      ),
    ).toEqual([]);
    expect(await plainRows(file, "select count(*) > 10 as many from comparisons")).toEqual([
      { many: true },
    ]);
    const dated = "select count(*) > 10 and count(completed_at) > 10 as is_dated from elo_history";
    expect(await plainRows(file, dated)).toEqual([{ is_dated: true }]);
    const all = await recountHere(["transform", "--lake", own, "--models", "all"]);
    expect(all.stdout).toMatch(/int_slates +\d+/);
    for (const more of ["int_slates", "int_pair_counts"])
      expect(await plainRows(file, `select count(*) > 0 as some from ${more}`)).toEqual([
        { some: true },
      ]);
    const published = await recountHere(["transform", "--lake", own, "--models", "published"]);
    expect(published.stdout).toContain(`Wrote ${kinds.length} models`);
    expect(published.stdout).toMatch(/^Data checks: (1\d) of \1 pass\.$/m);
    expect(await plainRows(file, verdicts)).toEqual(JSON.parse(asked.stdout));
    expect(readdirSync(join(derived, snapshot)).sort()).toEqual(
      [
        ...kinds.map((kind) => `metric_${kind}`),
        "published_vs_recomputed",
        "recount.duckdb",
      ].sort(),
    );
    const pipeline = join(own, "k16.yaml");
    writeFileSync(pipeline, "conventions: { elo: { k: 16 } }\n");
    const under16 = ["--pipeline", pipeline];
    await recountHere(["transform", "--lake", own, ...under16]);
    await expect(plainRows(file, verdicts)).rejects.toThrow("published_vs_recomputed");
    const others = await recountHere(["audit", "--lake", own]);
    expect(others.stderr).toContain("published_vs_recomputed is not updated");
    await expect(plainRows(file, verdicts)).rejects.toThrow("published_vs_recomputed");
    expect((await recountHere(["audit", "--lake", own, ...under16])).stderr).not.toContain(file);
    const apart = `select count(*)::integer as n, count(*) filter (abs(recomputed - value) > 1e-9)::integer as apart
      from published_vs_recomputed join metric_elo using (experiment_id, dimension, source, item)
      where kind = 'elo' and field = 'value'`;
    expect(await plainRows(file, apart)).toEqual([{ n: 18, apart: 0 }]);
    rmSync(own, { recursive: true });
  });

  it.runIf(isWhole)(
    "writes whole models while another transform writes those of the same snapshot",
    async () => {
      const own = copyOf(await goldenLake("tiny-pairwise"));
      const derived = join(own, goldenProject, "derived");
      const [snapshot = ""] = readdirSync(join(own, goldenProject, "snapshots"));
      // What a killed process has left, which the next one removes.
      const dead = spawnSync("true").pid;
      mkdirSync(join(derived, `.${snapshot}.tmp-${hostname()}_${dead}_00`), { recursive: true });
      const both = [1, 2].map(() => transform(own, goldenProject, { models: "published" }));
      expect((await Promise.all(both)).map(({ written }) => written.length)).toEqual([
        kinds.length,
        kinds.length,
      ]);
      expect(readdirSync(derived).filter((name) => name !== ".kept")).toEqual([snapshot]);
      expect(
        (await plainRows(join(derived, snapshot, "recount.duckdb"), "from metric_elo")).length,
      ).toBeGreaterThan(0);
      rmSync(own, { recursive: true });
    },
  );

  it("creates a dataset and uploads its file to the signed address only once", async () => {
    const created = await recountHere(
      ["call", "createDataset", "--body", '{"name":"Clips","filename":"clips.zip"}'],
      env,
    );
    const { id, upload_url: url } = JSON.parse(created.stdout) as {
      id: string;
      upload_url: string;
    };
    const file = join(dir, "clips.zip");
    const archive = "the bytes of an archive";
    writeFileSync(file, archive);
    const sent = await recountHere(
      ["call", "uploadDataset", "-p", `upload_url=${url}`, "--file", file],
      env,
    );
    expect(JSON.parse(sent.stdout)).toMatchObject({ bytes: archive.length });
    const again = await recountHere(
      ["call", "uploadDataset", "-p", `upload_url=${url}`, "--file", file],
      env,
    );
    expect(again).toMatchObject({ code: 3 });
    expect(again.stderr).toMatch(/refused \(403\)\. The address may have been used or expired/);
    const status = await recountHere(["call", "getDatasetStatus", "-p", `dataset_id=${id}`], env);
    expect(JSON.parse(status.stdout)).toMatchObject({ errors: [] });
  });

  it("creates a dataset of a file and uploads it in one step", async () => {
    const file = join(dir, "voices.zip");
    const archive = "the bytes of an archive";
    writeFileSync(file, archive);
    const create = (...args: string[]) => recountHere(["call", "createDataset", ...args], env);
    const { code, stdout, stderr } = await create("--file", file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const created = JSON.parse(stdout) as { id: string };
    expect(created).toMatchObject({ name: "voices", bytes: archive.length });
    expect(stdout).not.toContain("upload_url");
    const { status } = JSON.parse(
      (await recountHere(["call", "getDatasetStatus", "-p", `dataset_id=${created.id}`], env))
        .stdout,
    ) as { status: string };
    expect(status).toBe("ready");
    const named = await create("--file", file, "--body", '{"name":"Mine"}');
    expect(JSON.parse(named.stdout)).toMatchObject({ name: "Mine" });
    const count = async () =>
      (JSON.parse((await recountHere(["call", "listDatasets"], env)).stdout) as unknown[]).length;
    const before = await count();
    for (const absent of [join(dir, "none.zip"), dir])
      expect(await create("--file", absent)).toEqual({
        code: 4,
        stdout: "",
        stderr: `recount: The file ${absent} cannot be read.\n`,
      });
    expect(await count()).toBe(before);
  });
});

describe("a pipeline file", () => {
  it.runIf(isWhole)("is overridden by the environment, which is overridden by flags", async () => {
    const file = path("p.yaml");
    writeFileSync(
      file,
      `service:
  base_url: http://127.0.0.1:1
  project: \${MY_PROJECT}
selection: { names: ["*iny*"] }
tables: [experiments]
lake: in-file
outputs: { audit: out/audit.json }
`,
    );
    expect(await project.recount(["run", file], { RECOUNT_PROJECT_ID: "" })).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(
        /p\.yaml, line 3: the environment variable MY_PROJECT is not set/,
      ) as string,
    });
    const flags = ["--project", service.projectId, "--lake", path("by-flag")];
    const { code, stdout, stderr } = await project.recount(["run", file, ...flags], {
      RECOUNT_PROJECT_ID: "Nowhere1",
    });
    expect(code).toBe(0);
    expect(stdout).toContain("Audit of snapshot");
    expect(stderr).toContain("1 of 2 experiments");
    expect(["by-flag", "in-file", "out/audit.json"].map((name) => existsSync(path(name)))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("gives its conventions to commands that need no service", async () => {
    const nightly = join(root, "pipelines/nightly.yaml");
    const { code, stderr } = await recountHere([
      "query",
      "select 1",
      "--lake",
      lake,
      "--pipeline",
      nightly,
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});
