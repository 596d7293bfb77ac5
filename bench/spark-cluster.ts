import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sparkAddress } from "../src/warehouse/index.js";
import { openSparkSession } from "../src/spark/session.js";

export interface BenchCluster {
  readonly port: number;
  /** The folder of its event log. */
  readonly events: string;
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** A standalone master with executors of one core, each a process of its own, and a Connect server, which keeps an event log. */
export async function startExecutors(
  home: string,
  folder: string,
  executors: number,
): Promise<BenchCluster> {
  const port = await freePort();
  const events = join(folder, "events");
  mkdirSync(events, { recursive: true });
  const settings = {
    ...{
      "driver.host": "127.0.0.1",
      "driver.bindAddress": "127.0.0.1",
      "ui.enabled": "false",
      "log.level": "WARN",
    },
    ...{ "connect.grpc.binding.address": "127.0.0.1", "connect.grpc.binding.port": port },
    ...{ "eventLog.enabled": "true", "eventLog.dir": events, "eventLog.rolling.enabled": "false" },
    ...{ "eventLog.compress": "false", "executor.processTreeMetrics.enabled": "true" },
    ...{ "executor.metrics.pollingInterval": 200, "sql.warehouse.dir": join(folder, "warehouse") },
  };
  const child = spawn(
    join(home, "bin", "spark-submit"),
    [
      ...["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"],
      ...[
        "--master",
        `local-cluster[${executors},1,2000]`,
        "--driver-memory",
        "1g",
        "--executor-memory",
        "1500m",
      ],
      ...Object.entries(settings).flatMap(([name, value]) => ["--conf", `spark.${name}=${value}`]),
      "spark-internal",
    ],
    {
      cwd: folder,
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        ...process.env,
        SPARK_HOME: home,
        SPARK_LOCAL_IP: "127.0.0.1",
        SPARK_LOCAL_DIRS: join(folder, "local"),
      },
    },
  );
  child.stderr.pipe(createWriteStream(join(folder, "spark.log")));
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  for (let isUp = false; !isUp;) {
    if (child.exitCode !== null) throw new Error(`Spark ended: see ${join(folder, "spark.log")}`);
    const session = openSparkSession(sparkAddress(`sc://127.0.0.1:${port}`));
    isUp = await session.run("select 1").then(
      () => true,
      () => false,
    );
    await session.close();
  }
  return {
    port,
    events,
    async close() {
      child.kill("SIGTERM"); // closes the event log
      await Promise.race([ended, sleep(20_000)]);
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await ended;
      const [log = ""] = readdirSync(events); // named as the application, under which workers keep their files in Spark's folder
      rmSync(join(home, "work", basename(log, ".inprogress")), { recursive: true, force: true });
    },
  };
}
