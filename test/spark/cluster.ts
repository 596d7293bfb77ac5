import { spawn, type ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sparkAddress } from "../../src/warehouse/index.js";
import { openSparkSession } from "../../src/spark/session.js";
import { environment, installPython, missing, run } from "../support/python.js";
import { jars, programs, version } from "./releases.js";

/** Short queries: compiling them well costs more than it saves. */
const java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

const venv = environment(`recount-spark-${version}`);

/** Installs Spark from PyPI into a folder of its own. @throws what is missing */
export async function installSpark(): Promise<string> {
  await run("java", ["-version"]).catch((error: unknown) => {
    throw missing("Java 17", error);
  });
  await installPython(venv, [`pyspark==${version}`]);
  const [lib = ""] = readdirSync(join(venv, "lib"));
  return join(venv, "lib", lib, "site-packages", "pyspark");
}

/** Downloads S3A from Maven Central (690 MB), once, as Spark does: by Ivy. Returns the class path of a cluster. @throws what is missing */
export async function installS3a(home: string): Promise<string> {
  const folder = join(venv, "jars");
  const ivy = mkdtempSync(join(venv, "ivy-"));
  try {
    for (const [group, name, release] of jars) {
      const jar = `${name}-${release}.jar`;
      if (existsSync(join(folder, jar))) continue;
      const options = [
        "-confs",
        "master",
        "-cache",
        ivy,
        "-retrieve",
        join(ivy, "[artifact]-[revision].[ext]"),
      ];
      const artifact = ["-dependency", group, name, release];
      await run("java", [
        "-cp",
        join(home, "jars", "*"),
        "org.apache.ivy.Main",
        ...artifact,
        ...options,
      ]);
      mkdirSync(folder, { recursive: true });
      renameSync(join(ivy, jar), join(folder, jar));
    }
  } catch (error) {
    throw missing("hadoop-aws or what it needs, from Maven Central,", error);
  } finally {
    rmSync(ivy, { recursive: true });
  }
  return join(folder, "*");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

export interface SparkCluster {
  readonly port: number;
  runningJobs(): Promise<number>;
  statements(): Promise<string>;
  /** Stops the workers and their executors where they are, or lets them go on. */
  signalWorkers(signal: "SIGSTOP" | "SIGCONT"): void;
  killWorker(): void;
  restartConnect(): Promise<void>;
  close(): void;
}

type Settings = Readonly<Record<string, string | number>>;

/** @param settings of the Connect server, without `spark.` */
export async function startCluster(home: string, settings: Settings = {}): Promise<SparkCluster> {
  const folder = mkdtempSync(join(tmpdir(), "recount-spark-"));
  const [master, connect, ui] = [await freePort(), await freePort(), await freePort()];
  const url = `spark://127.0.0.1:${master}`;
  const started = new Set<ChildProcess>();
  const start = (name: string, program: string, args: readonly string[]): ChildProcess => {
    const log = openSync(join(folder, `${name}.log`), "a");
    // Each in a group of its own, which is killed with the processes that it starts.
    const child = spawn(join(home, "bin", program), args, {
      detached: true,
      stdio: ["ignore", log, log],
      env: {
        ...process.env,
        ...{
          SPARK_HOME: home,
          SPARK_LOCAL_IP: "127.0.0.1",
          SPARK_LOCAL_DIRS: join(folder, "local"),
        },
        SPARK_DAEMON_MEMORY: name === "connect" ? "1g" : "384m",
        SPARK_DAEMON_JAVA_OPTS: `${java} -Dspark.master.rest.enabled=false -Dspark.worker.timeout=600`,
      },
    });
    started.add(child);
    return child;
  };
  const kill = (child: ChildProcess) => {
    started.delete(child);
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const daemon = (name: string, program: string, args: readonly string[]) =>
    start(name, "spark-class", [program, "--host", "127.0.0.1", "--webui-port", "0", ...args]);
  daemon("master", programs.master, ["--port", String(master)]);
  const workers = ["one", "two"].map((name) =>
    daemon(name, programs.worker, [
      "--cores",
      "1",
      "--memory",
      "1g",
      "--work-dir",
      join(folder, name),
      url,
    ]),
  );
  const conf = (values: Settings) =>
    Object.entries(values).flatMap(([name, value]) => ["--conf", `spark.${name}=${value}`]);
  const startConnect = () =>
    start("connect", "spark-submit", [
      ...["--class", programs.connect, "--master", url],
      ...["--executor-memory", "900m", "--executor-cores", "1"],
      ...conf({
        ...{ "driver.host": "127.0.0.1", "driver.bindAddress": "127.0.0.1", "ui.port": ui },
        ...{ "connect.grpc.binding.address": "127.0.0.1", "connect.grpc.binding.port": connect },
        ...{ "executor.extraJavaOptions": java, "log.level": "WARN", "network.timeout": "600s" },
        ...{ "sql.shuffle.partitions": 2, "sql.warehouse.dir": join(folder, "warehouse") },
        ...settings,
      }),
      "spark-internal",
    ]);
  const answers = async (server: ChildProcess) => {
    for (;;) {
      if (server.exitCode !== null)
        throw new Error(
          `Spark Connect did not start: ${readFileSync(join(folder, "connect.log"), "utf8")}`,
        );
      const session = openSparkSession(sparkAddress(`sc://127.0.0.1:${connect}`));
      const isUp = await session.run("select 1").then(
        () => true,
        () => false,
      );
      await session.close();
      if (isUp) return;
    }
  };
  let server = startConnect();
  await answers(server);
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${ui}/api/v1/applications${path}`)).json();
  const shown = async (path: string) => {
    const [{ id }] = (await ask("")) as [{ id: string }];
    return ask(`/${id}/${path}`);
  };
  return {
    port: connect,
    runningJobs: async () => ((await shown("jobs?status=running")) as unknown[]).length,
    statements: async () =>
      (await fetch(`http://127.0.0.1:${ui}/connect/?sqlstat.pageSize=10000`)).text(),
    signalWorkers(signal) {
      for (const { pid } of workers) if (pid !== undefined) process.kill(-pid, signal);
    },
    killWorker: () => kill(workers.shift()!),
    async restartConnect() {
      kill(server);
      server = startConnect();
      await answers(server);
    },
    close() {
      for (const child of started) kill(child);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
