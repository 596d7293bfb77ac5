import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text as textOfStream } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { InterruptedError } from "../../src/platform/index.js";
import {
  type Model,
  modelPlan,
  openOn,
  openWarehouse,
  sparkAddress,
  type Warehouse,
} from "../../src/warehouse/index.js";
import { openSparkSession } from "../../src/spark/session.js";
import { javaPattern, sparkLiteral, sparkSettings } from "../../src/spark/spark-text.js";
import { bin, recount } from "../support/command-line.js";
import { exportTo } from "../support/export-to-lake.js";
import { breakableWay } from "../support/fake-spark.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { until } from "../support/until.js";
import { installSpark, type SparkCluster, startCluster } from "./cluster.js";
import { pattern, slate, subject } from "./odd-values.js";
import { conventions, lakeRows } from "./rows.js";
import { type LakeRows, writeLakeTables } from "./spark-lake.js";
import { expectEqual, some, soundness, tablesUnder } from "./tables.js";

/** What Spark and DuckDB would take for patterns and escapes in paths. */
const folder = folderOfTests("recount-spark [1] {a} 50%");
let nth = 0;
const scratch = () => join(folder, `scratch-${++nth}`);

/** `npm run test:spark`: needs Java 17, Python 3 and PyPI. */
describe.runIf(process.env.RECOUNT_SPARK !== undefined)(
  "on a cluster of Spark",
  { timeout: 1_800_000 },
  () => {
    let missing: string | null = null;
    let cluster: SparkCluster;
    const need = (context: TestContext) => missing !== null && context.skip(missing);
    const at = (port = cluster.port) => `sc://127.0.0.1:${port}`;
    const onSpark = (sources: Awaited<ReturnType<typeof written>>, port?: number) =>
      openOn({
        sources,
        threads: 1,
        scratch: scratch(),
        cluster: { address: sparkAddress(at(port)) },
      });
    const onDuck = (sources: Awaited<ReturnType<typeof written>>) =>
      openWarehouse({ sources, threads: 1 });
    const written = (rows: LakeRows) => writeLakeTables(join(folder, `lake ${++nth}`), rows);

    beforeAll(async () => {
      const home = await installSpark().catch((error: unknown) => {
        missing = `Spark was not tried: ${String(error)}`;
        console.warn(missing);
        return null;
      });
      if (home !== null) cluster = await startCluster(home);
    }, 600_000);
    afterAll(() => {
      if (missing === null) cluster.close();
    });

    const filled = new Set<string>();
    it.for(Object.entries(conventions))(
      "every model is as on DuckDB: %s",
      async ([, input], context) => {
        need(context);
        const sources = await written(lakeRows());
        // Other texts are the same under all of them, and every table has rows if incorrect slates are left out.
        const isWhole = input.incorrect === "exclude_slates";
        const reads = ({ name, layer, sql }: Model) =>
          name === "metric_rater_quality" ||
          (layer !== "views" && /\b(conventions|item_of)\(/.test(sql));
        const tables = isWhole
          ? undefined
          : (await modelPlan()).filter(reads).map(({ name }) => name);
        const wanted = await tablesUnder(await onDuck(sources), input, tables);
        for (const [name, { rows }] of Object.entries(wanted))
          if (rows.length > 0) filled.add(name);
        expectEqual(await tablesUnder(await onSpark(sources), input, tables), wanted);
      },
    );

    it("every model had rows", async (context) => {
      need(context);
      const wanted = await tablesUnder(await onDuck(await written(lakeRows())), {});
      // No two of the generated raters have the same scores.
      const empty = Object.keys(wanted).filter((name) => !filled.has(name));
      expect(new Set(empty)).toEqual(new Set(["identity", "assert_answers_differ", ...soundness]));
    });

    it("the user interface of Spark names the model of each statement", async (context) => {
      need(context);
      await tablesUnder(await onSpark(await written(lakeRows())), {}, [...some, "metric_raters"]);
      const page = await cluster.statements();
      for (const model of ["key_slates", "metric_raters", "fit_elo"])
        expect(page).toContain(`/* recount ${model} */`);
    });

    it("odd metas, numbers, names and instants are read alike", async (context) => {
      need(context);
      const slates = fc.sample(slate, { seed: 16, numRuns: 1500 });
      const sources = await written({
        ratings: slates.flatMap(({ first, second }, n) =>
          [first, second].map((one) => ({
            experiment_id: "e",
            session_id: `s${n % 9}`,
            slate_id: n,
            rater_id: "r",
            ...one,
          })),
        ),
        slates: slates.map(({ updated }, n) => ({
          ...{ experiment_id: "e", session_id: `s${n % 9}`, id: n, date_updated: updated },
        })),
      });
      const tables = [
        "audit_correctness",
        "assert_correctness_shapes",
        "assert_scores_finite",
        "key_slates",
        ...some,
      ];
      const input = { incorrect: "exclude_ratings", incomplete: "include" } as const;
      const wanted = await tablesUnder(await onDuck(sources), input, tables);
      expect(wanted.assert_correctness_shapes?.rows.length).toBeGreaterThan(500);
      expectEqual(await tablesUnder(await onSpark(sources), input, tables), wanted);
    });

    it("a pattern that is not refused finds the same items", async (context) => {
      need(context);
      const patterns = fc.sample(pattern, { seed: 16, numRuns: 400 });
      const accepted = patterns.flatMap((re2) => {
        try {
          return [[re2, javaPattern(re2)] as const];
        } catch {
          return [];
        }
      });
      expect(accepted.length).toBeGreaterThan(100);
      const subjects = fc.sample(subject, { seed: 16, numRuns: 100 });
      const quotedText = (text: string) => `'${text.replaceAll("'", "''")}'`;
      const duck = await openWarehouse({ sources: {}, threads: 1 });
      const found = (await duck.all(
        `select case when regexp_matches(s, p) then length(regexp_extract(s, p, 1)) + instr(s, regexp_extract(s, p, 1)) * 100 else -1 end as n
       from (values ${accepted.map(([re2], i) => `(${i}, ${quotedText(re2)})`).join(", ")}) as t(i, p),
         (values ${subjects.map((text, j) => `(${j}, ${quotedText(text)})`).join(", ")}) as u(j, s) order by i, j`,
      )) as { n: number }[];
      duck.close();
      const session = openSparkSession(sparkAddress(at()));
      for (const setting of sparkSettings) await session.run(setting);
      const { n } = await session.columns(
        `select cast(case when regexp_like(s, p) then char_length(regexp_extract(s, p, 1)) + instr(s, regexp_extract(s, p, 1)) * 100 else -1 end as int) as n
       from values ${accepted.map(([, java], i) => `(${i}, ${sparkLiteral(java)})`).join(", ")} as t(i, p)
         cross join values ${subjects.map((text, j) => `(${j}, ${sparkLiteral(text)})`).join(", ")} as u(j, s) order by i, j`,
      );
      await session.close();
      const different = found.flatMap((row, k) =>
        row.n === n?.[k]
          ? []
          : [[accepted[Math.floor(k / subjects.length)], subjects[k % subjects.length]]],
      );
      expect(different).toEqual([]);
    });

    it("run, audit and report give what they give on DuckDB", async (context) => {
      need(context);
      const service = await startEmulator({});
      const lake = join(folder, "lake");
      const file = (name: string) => join(folder, name);
      const pipeline = file("nightly.yaml");
      const outputs = `outputs: { audit: run.json, report: run.html }`;
      const secret = { RECOUNT_API_KEY: service.apiKey };
      writeFileSync(
        pipeline,
        `service: { base_url: "${service.url}", project: ${service.projectId} }
lake: lake
conventions: { incorrect: exclude_ratings }
engine: { spark: { connect: "${at()}" } }
${outputs}
`,
      );
      const ran = await recount(["run", pipeline], secret);
      expect(ran.stderr).not.toMatch(/error/i);
      const derived = async () => {
        const [snapshot = ""] = readdirSync(join(lake, service.projectId, "derived")).filter(
          (name) => !name.startsWith("."),
        );
        const own = join(lake, service.projectId, "derived", snapshot);
        // The rows of an audit are no model: a transform by another build has none.
        const isModel = (name: string) =>
          name.endsWith(".parquet") && !name.startsWith("published_vs_recomputed");
        const names = readdirSync(own, { recursive: true, encoding: "utf8" }).filter(isModel);
        const duck = await openWarehouse({ sources: {} });
        const rows = await Promise.all(
          names.map(async (name) => {
            const file = join(own, name).replaceAll("[", "[[]");
            const found = await duck.all(`from read_parquet('${file}')`);
            // The digest in the name is that of another build too.
            return found.map((row) => JSON.stringify([dirname(name), row]));
          }),
        );
        duck.close();
        return rows.flat().toSorted();
      };
      const args = ["--lake", lake, "--pipeline", pipeline];
      const made = await derived();
      for (const engine of ["spark", "duckdb"]) {
        // By the build that ran, whose database takes the verdicts.
        const json = ["--json", file("audit.json")];
        const audit = await recount(["audit", ...args, "--engine", engine, ...json], secret);
        expect([audit.stderr, audit.code]).toEqual(["", ran.code]);
        expect(readFileSync(file("audit.json"), "utf8")).toBe(
          readFileSync(file("run.json"), "utf8"),
        );
      }
      for (const engine of ["spark", "duckdb"]) {
        await recountHere(["report", ...args, "--engine", engine, "-o", file("report.html")]);
        expect(readFileSync(file("report.html"), "utf8")).toBe(
          readFileSync(file("run.html"), "utf8"),
        );
      }
      // The report of a run made the statistics, too.
      await recountHere(["transform", "--statistics", ...args, "--engine", "duckdb"]);
      expect(await derived()).toEqual(made);
      const others = readdirSync(join(lake, service.projectId, "derived")).filter(
        (name) => name !== ".kept",
      );
      expect(others).toHaveLength(1);
      await service.close();
    });

    it("the results are the same when a connection breaks again and again, and when a worker dies", async (context) => {
      need(context);
      const sources = await written(lakeRows(2));
      const wanted = await tablesUnder(await onDuck(sources), {}, some);
      const way = await breakableWay(cluster.port);
      const breaking = setInterval(() => way.breakNow(), 700);
      const found = await tablesUnder(await onSpark(sources, way.port), {}, some).finally(() =>
        clearInterval(breaking),
      );
      way.close();
      expectEqual(found, wanted);

      const both = await onSpark(sources);
      let made = 0;
      const dying: Warehouse = {
        ...both,
        createModel(model) {
          if (model.stored === "table" && ++made === 8) cluster.killWorker();
          return both.createModel(model);
        },
      };
      expectEqual(await tablesUnder(dying, {}, some), wanted);
      expect(made).toBeGreaterThan(8);
    });

    const soon = { timeout: 300_000 };
    it(
      "a statement reports how many of its tasks are done, and an interrupt stops what runs on the cluster",
      soon,
      async (context) => {
        need(context);
        const session = openSparkSession(sparkAddress(at()));
        const told: [number, number][] = [];
        const slow =
          "create table slow as select sum(sqrt(id)) as s from range(0, 100000000000, 1, 2000)";
        const running = session.run(slow, (...tasks) => told.push(tasks));
        running.catch(() => undefined);
        await until(() => told.some(([done, tasks]) => done > 0 && tasks > done));
        session.interrupt();
        await expect(running).rejects.toThrow(InterruptedError);
        await until(async () => (await cluster.runningJobs()) === 0);
        await session.close();
      },
    );

    it.for(["audit", "run"])(
      "Ctrl-C ends %s in one line, with nothing left on the cluster",
      async (command, context) => {
        need(context);
        const service = await startEmulator({});
        const { url, projectId, apiKey } = service;
        const [lake, pipeline] = [
          join(folder, `interrupted ${command}`),
          join(folder, "interrupted.yaml"),
        ];
        writeFileSync(
          pipeline,
          `service: { base_url: "${url}", project: ${projectId} }\nlake: "${lake}"\n`,
        );
        if (command === "audit") await exportTo(lake, service);
        const args = [
          command,
          ...(command === "audit" ? ["--lake", lake] : [pipeline]),
          "--engine",
          "spark",
        ];
        // Between two jobs Spark may begin one that was cancelled before.
        cluster.signalWorkers("SIGSTOP");
        const env = { ...process.env, SPARK_REMOTE: at(), RECOUNT_API_KEY: apiKey };
        const child = spawn(process.execPath, [bin, ...args], { env });
        const [stderr, ended] = [textOfStream(child.stderr), once(child, "close")];
        await until(async () => (await cluster.runningJobs()) > 0 || child.exitCode !== null);
        child.kill("SIGINT");
        expect(await stderr).toMatch(
          /warn: Stopping\. Press Ctrl-C again to stop immediately\.\n(recount: )?Interrupted; the cluster was asked to stop\.\n$/,
        );
        expect(await ended).toEqual([130, null]);
        const derived = join(lake, projectId, "derived");
        expect(existsSync(derived) ? readdirSync(derived) : []).toEqual([]);
        await until(async () => (await cluster.runningJobs()) === 0);
        cluster.signalWorkers("SIGCONT");
        await service.close();
      },
    );

    it("a server that is restarted ends the run in one line, and the next run works", async (context) => {
      need(context);
      const sources = await written(lakeRows(4));
      const both = await onSpark(sources);
      let made = 0;
      const restarting: Warehouse = {
        ...both,
        async createModel(model) {
          if (model.stored === "table" && ++made === 4) await cluster.restartConnect();
          return both.createModel(model);
        },
      };
      await expect(tablesUnder(restarting, {}, some)).rejects.toThrow(
        /was restarted and lost what was computed/,
      );
      expectEqual(
        await tablesUnder(await onSpark(sources), {}, some),
        await tablesUnder(await onDuck(sources), {}, some),
      );
    });
  },
);
