import { spawnSync } from "node:child_process";
import { register } from "node:module";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import yargs from "yargs";
import { commandNames, loadCommand } from "../../src/commands/main.js";
import { planOf } from "../../src/pipeline/index.js";
import { parsePipeline } from "../../src/pipeline/read-pipeline.js";
import { timesOf } from "../../src/schedule/index.js";
import { bin } from "../support/command-line.js";
import { isWhole } from "../support/whole.js";
import { read, root } from "../support/root.js";

const kubernetes = ["cronjob", "deployment"].map((name) => `deploy/kubernetes/${name}.yaml`);

interface Container {
  readonly args: string[];
  readonly ports?: { containerPort: number }[];
  readonly volumeMounts: { mountPath: string }[];
}
interface Pod {
  readonly securityContext: { runAsUser: number };
  readonly containers: [Container];
}
interface Template {
  readonly spec: Pod;
}
interface Manifest {
  readonly spec: {
    schedule?: string;
    timeZone?: string;
    template?: Template;
    jobTemplate?: { spec: { template: Template } };
  };
}
const manifest = (file: string) => parse(read(file)) as Manifest;
const podOf = ({ spec }: Manifest) =>
  (spec.jobTemplate?.spec.template ?? spec.template)?.spec as Pod;

const composeFile = parse(read("deploy/compose.yaml")) as {
  services: { recount: { command: string[] } };
};

const dockerfile = read("Dockerfile").replaceAll(/\\\n\s*/g, "");
const instruction = (name: string) =>
  new RegExp(`^${name} (.*)$`, "gm").exec(
    dockerfile.slice(dockerfile.lastIndexOf("\nFROM")),
  )?.[1] ?? "";
const listOf = (text: string) => JSON.parse(/\[.*\]/.exec(text)?.[0] ?? "[]") as string[];

const callsIn = (file: string) =>
  read(file)
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => /(?:^|[ /])recount ((?:run|schedule|status) .*)$/.exec(line)?.[1] ?? [])
    .map(
      (call) =>
        call
          .split(/ (?:>|\|\||&&|;)/)[0]
          ?.trim()
          .split(/\s+/) ?? [],
    );

/** The tasks of the DAG for Airflow, by stand-ins of Airflow's classes that note their arguments. Empty without Python. */
const dag = spawnSync(
  "python3",
  [join(import.meta.dirname, "read-dag.py"), join(root, "deploy/airflow/recount.py")],
  {
    encoding: "utf8",
  },
);
const tasks = (dag.error === undefined ? JSON.parse(dag.stdout) : []) as {
  task_id: string;
  bash_command: string[];
}[];

const calls: [string, string[]][] = [
  ...tasks.flatMap(({ bash_command }) =>
    bash_command.map((line): [string, string[]] => [
      "deploy/airflow/recount.py",
      line.replace(/^recount /, "").split(" "),
    ]),
  ),
  ...[
    "crontab",
    "systemd/recount.service",
    "systemd/recount-schedule.service",
    "github/recount.yml",
    "gitlab/recount.yml",
  ].flatMap((file) => callsIn(`deploy/${file}`).map((args): [string, string[]] => [file, args])),
  ...kubernetes.map((file): [string, string[]] => [file, podOf(manifest(file)).containers[0].args]),
  ["compose.yaml", composeFile.services.recount.command],
  ["Dockerfile", listOf(instruction("CMD"))],
];

it("every example has a command line, and README.md lists every example", () => {
  const files = readdirSync(join(root, "deploy"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "README.md")
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "deploy/").length));
  const listed = [...read("deploy/README.md").matchAll(/^\| (`.*`) \|/gm)].flatMap(
    ([, cell = ""]) => cell.match(/[\w./-]+/g) ?? [],
  );
  expect(listed.toSorted()).toEqual(files.toSorted());
  const called = new Set(calls.map(([file]) => file.replace("deploy/", "")));
  const withoutPython = dag.error === undefined ? [] : ["airflow/recount.py"];
  expect(files.filter((file) => !called.has(file))).toEqual([
    ...withoutPython,
    "systemd/recount.timer",
  ]);
});

const commands = await Promise.all(commandNames.map(loadCommand));

const parsed = (args: readonly string[]) =>
  yargs([...args])
    .command(commands.map((command) => ({ ...command, handler: () => undefined })))
    .strict()
    .exitProcess(false)
    .fail((message: string, error?: Error) => {
      throw error ?? new Error(message);
    })
    .parseAsync();

it.each(calls)("the command line of %s is one: %j", async (_, args) => {
  expect((await parsed(args))._[0]).toBe(args[0]);
  await expect(parsed([...args, "--unknown-flag"])).rejects.toThrow("unknown-flag");
});

it.each([
  ...[...read("deploy/crontab").matchAll(/^(\S+ \S+ \S+ \S+ \S+) recount /gm)].map(
    ([, cron = ""]) => [cron, "Europe/Berlin"],
  ),
  ...kubernetes.flatMap((file) => {
    const { schedule, timeZone } = manifest(file).spec;
    return schedule === undefined ? [] : [[schedule, timeZone ?? ""]];
  }),
  [/cron: "(.*)"/.exec(read("deploy/github/recount.yml"))?.[1] ?? "", "UTC"],
])("%s is due once a day in %s", (cron = "", timezone = "") => {
  const { next } = timesOf(
    { cron, timezone, jitter: 0, catchUp: true, host: "", port: undefined },
    "",
    new Date(0),
  );
  const due = next(new Date("2026-07-01T00:00:00Z"));
  expect(next(due).getTime() - due.getTime()).toBe(86_400_000);
});

const environmentOf = (text: string, pattern = /RECOUNT_REPORTS(?:=|: |, value: )([^\s,}]+)/) =>
  pattern.exec(text)?.[1] ?? "";

it.each([
  ["systemd/recount.service", "/var/lib/recount"],
  ["systemd/recount-schedule.service", "/var/lib/recount"],
  ["crontab", "/var/lib/recount"],
  ["kubernetes/cronjob.yaml", "/lake"],
  ["kubernetes/deployment.yaml", "/lake"],
  ["compose.yaml", "/lake"],
  ["../Dockerfile", "/lake"],
])(
  "%s: every output of pipelines/nightly.yaml is in %s, which a run may write",
  async (file, writable) => {
    const text = read(`deploy/${file}`);
    const env = {
      RECOUNT_REPORTS: environmentOf(text),
      RECOUNT_BASE_URL: "http://x",
      RECOUNT_PROJECT_ID: "P1",
    };
    const path = "/etc/recount/nightly.yaml";
    const pipeline = parsePipeline(path, read("pipelines/nightly.yaml"), env);
    const files = Object.values((await planOf(pipeline, path)).projects[0]?.outputs ?? {});
    expect(files.length).toBeGreaterThan(1);
    for (const output of files) expect(output).toMatch(new RegExp(`^${writable}/`));
    if (file.startsWith("systemd")) expect(text).toMatch(/^ProtectSystem=strict$/m);
    if (file.startsWith("systemd")) expect(text).toMatch(/^StateDirectory=recount$/m);
    if (file.startsWith("kubernetes")) expect(text).toContain("{ name: lake, mountPath: /lake }");
  },
);

describe("systemd", () => {
  const isHere = spawnSync("systemd-analyze", ["--version"]).status === 0;
  const dir = mkdtempSync(join(tmpdir(), "recount-units-"));

  const verified = (change: (text: string) => string = (text) => text) => {
    const units = readdirSync(join(root, "deploy/systemd")).map((name) => {
      const file = join(dir, name);
      writeFileSync(
        file,
        change(read(`deploy/systemd/${name}`)).replace("/usr/local/bin/recount", bin),
      );
      return file;
    });
    const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", ...units], {
      encoding: "utf8",
    });
    return `${stdout}${stderr}`
      .split("\n")
      .filter((line) => line.includes(dir) || line.startsWith("recount"));
  };

  it.skipIf(!isHere)(
    "accepts the units (skipped without systemd-analyze of the package systemd)",
    () => {
      expect(verified()).toEqual([]);
      expect(verified((text) => text.replace("PrivateTmp", "PrivateTemp"))).not.toEqual([]);
      expect(verified((text) => text.replace("02:00:00", "26:00:00"))).not.toEqual([]);
      rmSync(dir, { recursive: true });
    },
  );
});

describe("Kubernetes", () => {
  const mistakes = async (values: readonly object[]) => {
    const { default: ts } = await import("typescript");
    const file = join(root, "test/deploy/manifests.ts");
    const types = { CronJob: "kubernetes-types/batch/v1", Deployment: "kubernetes-types/apps/v1" };
    const text = values.map((value, i) => {
      const { kind } = value as { kind: keyof typeof types };
      return `export const m${i}: import("${types[kind]}.js").${kind} = ${JSON.stringify(value)};`;
    });
    const options = {
      ...{ strict: true, noEmit: true, types: [], lib: ["lib.es5.d.ts"], skipLibCheck: true },
      module: ts.ModuleKind.NodeNext,
    };
    const host = ts.createCompilerHost(options);
    const fromDisk = ts.createCompilerHost(options);
    host.fileExists = (name) => name === file || fromDisk.fileExists(name);
    host.getSourceFile = (name, ...rest) =>
      name === file
        ? ts.createSourceFile(name, text.join("\n"), rest[0])
        : fromDisk.getSourceFile(name, ...rest);
    const program = ts.createProgram([file], options, host);
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  };

  it.runIf(isWhole)("accepts the manifests", async () => {
    const [cronJob = {}, deployment = {}] = kubernetes.map(manifest);
    const planted = (value: object, from: RegExp, to: string) =>
      JSON.parse(JSON.stringify(value).replace(from, to)) as object;
    const unknown = planted(cronJob, /restartPolicy/, "restartPolicies");
    const mistyped = planted(deployment, /"containerPort":\d+/, '"containerPort":"8081"');
    expect(await mistakes([cronJob, deployment, unknown, mistyped])).toEqual([
      expect.stringContaining("restartPolicies"),
      expect.stringContaining("not assignable to type 'number'"),
    ]);
  });

  it.each(kubernetes)(
    "%s runs as the user of the image, with its lake and a folder for temporary files",
    (file) => {
      const { securityContext, containers } = podOf(manifest(file));
      expect(instruction("USER")).toBe(`${securityContext.runAsUser}:${securityContext.runAsUser}`);
      const [{ volumeMounts, ports = [], args }] = containers;
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(
        expect.arrayContaining([instruction("VOLUME"), "/tmp"]),
      );
      for (const { containerPort } of ports)
        expect(args).toContain(`--health-port=${containerPort}`);
    },
  );
});

it.runIf(isWhole)("GitHub accepts the workflows", async () => {
  // GitHub's parser imports JSON without saying that it is JSON, which Node demands.
  register(
    `data:text/javascript,${encodeURIComponent(
      'export const load = (url, context, next) => next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);',
    )}`,
  );
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } =
    await import("@actions/workflow-parser");
  const mistakesOf = async (content: string) => {
    const { context, value } = parseWorkflow(
      { name: "recount.yml", content },
      new NoOperationTraceWriter(),
    );
    const template = value && (await convertWorkflowTemplate(context, value));
    return [...context.errors.getErrors(), ...(template?.errors ?? [])].map((error) =>
      JSON.stringify(error),
    );
  };
  const workflow = read("deploy/github/recount.yml");
  expect(await mistakesOf(workflow)).toEqual([]);
  for (const name of readdirSync(join(root, ".github/workflows")))
    expect(await mistakesOf(read(`.github/workflows/${name}`))).toEqual([]);
  expect(await mistakesOf(workflow.replace("timeout-minutes", "timeout-hours"))).not.toEqual([]);
});

it("GitLab's job has keys of GitLab's reference only", () => {
  const { recount } = parse(read("deploy/gitlab/recount.yml")) as { recount: object };
  const known =
    "image rules resource_group timeout cache script artifacts variables before_script after_script tags needs stage";
  expect(Object.keys(recount).filter((key) => !known.split(" ").includes(key))).toEqual([]);
});

describe("the image", () => {
  it("is built from everything that the package holds, and nothing else", () => {
    const copied = [...read(".dockerignore").matchAll(/^!(.*)$/gm)].map(([, path = ""]) => path);
    const { files } = JSON.parse(read("package.json")) as { files: string[] };
    expect(copied).toEqual(expect.arrayContaining(files.filter((file) => !/^!?dist\b/.test(file))));
    const build = [
      "src",
      ".npmrc",
      "package.json",
      "package-lock.json",
      "tsconfig.json",
      "tsconfig.build.json",
      "tools",
      "LICENSE",
      "README.md",
    ];
    expect(copied.filter((path) => !files.includes(path) && !build.includes(path))).toEqual([]);
  });
});
