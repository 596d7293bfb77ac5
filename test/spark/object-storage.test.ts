import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { readSnapshot } from "../../src/lake/index.js";
import {
  openOn,
  openWarehouse,
  sparkAddress,
  text,
  type TableSource,
} from "../../src/warehouse/index.js";
import {
  inBucket,
  objectsOf,
  startObjectStorage,
  type Fate,
  type ObjectStorage,
} from "../objects/object-storage.js";
import { exportTo } from "../support/export-to-lake.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { until } from "../support/until.js";
import { installS3a, installSpark, startCluster, type SparkCluster } from "./cluster.js";
import { storeSettings } from "./releases.js";
import { lakeRows } from "./rows.js";
import { writeLakeTables } from "./spark-lake.js";
import { expectEqual, tablesUnder } from "./tables.js";

const lake = inBucket("lakes/a=b'(1)");

/** `npm run test:spark`: needs Java 17, Python 3, PyPI and Maven Central. */
describe.runIf(process.env.RECOUNT_SPARK !== undefined)(
  "Spark over object storage",
  { timeout: 1_800_000 },
  () => {
    const folder = folderOfTests("recount-spark-objects");
    const file = (name: string) => join(folder, name);
    const opened: { close(): unknown }[] = [];
    const kept = <T extends { close(): unknown }>(one: T): T => {
      opened.push(one);
      return one;
    };
    let missing: string | null = null;
    let storage: ObjectStorage;
    let cluster: SparkCluster;
    let service: RunningEmulator;
    const need = (context: TestContext) => missing !== null && context.skip(missing);
    const spark = () => ({ SPARK_REMOTE: `sc://127.0.0.1:${cluster.port}` });

    beforeAll(async () => {
      try {
        const home = await installSpark();
        const classPath = await installS3a(home);
        storage = kept(await startObjectStorage(join(folder, "home")));
        const settings = {
          ...{ "driver.extraClassPath": classPath, "executor.extraClassPath": classPath },
          ...storeSettings(process.env.AWS_ENDPOINT_URL_S3 ?? ""),
        };
        cluster = kept(await startCluster(home, settings));
      } catch (error) {
        missing = `Spark over object storage was not tried: ${String(error)}`;
        console.warn(missing);
        return;
      }
      service = kept(await startEmulator({}));
      await exportTo(lake, service);
      const [first] = (await readSnapshot(lake, service.projectId)).manifest.experiments;
      const experiment = first?.id ?? "";
      const doubled = { kind: "double_row", row: 0 } as const;
      service.faults.set([{ operation: "listRatings", experiment, fault: doubled }]);
      await exportTo(lake, service);
      service.faults.set([]);
    }, 900_000);
    afterAll(async () => {
      for (const one of opened.toReversed()) await one.close();
    });

    /** What is left of a scratch folder, also objects that only mark a folder. */
    const left = async (folderOfScratch: string) => {
      const [, , Bucket, ...path] = folderOfScratch.split("/");
      const client = new S3Client({ forcePathStyle: true });
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: `${path.join("/")}/.spark` }),
      );
      client.destroy();
      return Contents.length;
    };
    const derivedFolder = () => `${lake}/${service.projectId}/derived`;

    it("every model is as on DuckDB, from parts of two snapshots", async (context) => {
      need(context);
      const local = await writeLakeTables(join(folder, "rows"), lakeRows());
      const remote: Record<string, TableSource> = {};
      for (const [table, source] of Object.entries(local)) {
        const files = source.files.map(
          (one, i) => `snapshots/${i % 2}/${relative(join(folder, "rows", table), one)}`,
        );
        for (const [i, one] of source.files.entries())
          await objectsOf(inBucket(`rows/${table}`)).upload(one, files[i] ?? "");
        remote[table] = { ...source, files: files.map((one) => inBucket(`rows/${table}/${one}`)) };
      }
      const address = sparkAddress(spark().SPARK_REMOTE);
      const input = { incorrect: "exclude_ratings", mean: "rater_mean" } as const;
      expectEqual(
        await tablesUnder(
          await openOn({
            sources: remote,
            threads: 1,
            scratch: inBucket("rows/.spark-1"),
            cluster: { address },
          }),
          input,
        ),
        await tablesUnder(await openWarehouse({ sources: local, threads: 1 }), input),
      );
      await until(async () => (await left(inBucket("rows"))) === 0);
    });

    it("run, transform, audit and report give what they give on DuckDB", async (context) => {
      need(context);
      const pipeline = file("nightly.yaml");
      const outputs = { audit: "audit.json", report: "report.html" };
      writeFileSync(
        pipeline,
        `service: { base_url: "${service.url}", project: ${service.projectId} }
lake: "${lake}"
outputs: ${JSON.stringify(outputs)}
`,
      );
      const of = ["--lake", lake, "--pipeline", pipeline];
      const derived = async () => {
        const folder = `${derivedFolder()}/${(await readSnapshot(lake, service.projectId)).id}`;
        const duck = await openWarehouse({ sources: {}, lake });
        // A folder for each table, with a file for each group of experiments.
        const folders = (await objectsOf(folder).names("")).filter(({ bytes }) => bytes === null);
        const rows = await Promise.all(
          folders.map(async ({ name: table }) => {
            const files = (await objectsOf(`${folder}/${table}`).names("")).map(({ name }) => name);
            const places = files.sort().map((name) => text(`${folder}/${table}/${name}`));
            return [table, await duck.all(`from read_parquet([${places.join(", ")}])`)];
          }),
        );
        duck.close();
        return rows;
      };
      const written = (name: string) => readFileSync(file(name), "utf8");
      const env = { ...spark(), RECOUNT_API_KEY: service.apiKey };
      const ran = await recountHere(["run", pipeline, "--engine", "spark"], env);
      expect(ran.stderr).not.toMatch(/error|fail/i);
      const { tables } = await readSnapshot(lake, service.projectId);
      expect(
        new Set(tables.ratings?.files.map((one) => one.split("/snapshots/")[1]?.split("/")[0]))
          .size,
      ).toBe(2);
      const made = await derived();

      const published = await recountHere(
        ["transform", ...of, "--models", "published", "--engine", "spark"],
        env,
      );
      expect([published.code, published.stderr]).toEqual([0, ""]);
      const some = await derived();
      expect(some.length).toBeGreaterThan(3);
      expect(made).toEqual(expect.arrayContaining(some));

      // Those of `run` are of Spark.
      const audit = await recountHere(
        ["audit", ...of, "--engine", "duckdb", "--json", file("other.json")],
        env,
      );
      expect([audit.stderr, audit.code]).toEqual(["", ran.code]);
      expect(written("other.json")).toBe(written(outputs.audit));
      const report = await recountHere(
        ["report", ...of, "--engine", "duckdb", "-o", file("other.html")],
        env,
      );
      expect([report.stderr, report.code]).toEqual(["", ran.code]);
      expect(written("other.html")).toBe(written(outputs.report));
      expect(await left(derivedFolder())).toBe(0);
      await recountHere(["transform", ...of, "--statistics"]);
      expect(await derived()).toEqual(made);
    });

    it.for<[string, Fate, RegExp]>([
      [
        "may not read it",
        [403, "AccessDenied"],
        /Spark cannot open s3:\S+: its own credentials may not .*scale\.md\.$/,
      ],
      [
        "has another store",
        [404, "NoSuchBucket"],
        /Spark cannot open s3:\S+: its store has no such bucket\. Set .*here\.$/,
      ],
    ])("a cluster that %s ends the command in one line", async ([, fate, line], context) => {
      need(context);
      storage.decide(({ headers }) =>
        /hadoop/i.test(headers["user-agent"] ?? "") ? fate : "pass",
      );
      const { code, stderr } = await recountHere(
        ["audit", "--lake", lake, "--engine", "spark"],
        spark(),
      );
      storage.decide(() => "pass");
      expect(stderr.trim()).toMatch(line);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(code).toBe(3);
      expect(await left(derivedFolder())).toBe(0);
    });
  },
);
