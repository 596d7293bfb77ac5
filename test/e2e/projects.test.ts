import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { planOf, readPipeline } from "../../src/pipeline/index.js";
import { testProject } from "../support/project.js";
import { httpServer } from "../support/raw-server.js";
import { isWhole } from "../support/whole.js";

interface Summary {
  readonly exit_code: number | null;
  readonly ended_at: string | null;
  readonly runs: readonly { project: string; exit_code: number | null; error: string | null }[];
}

const { path, recount, service } = await testProject();
const file = path("many.yaml");
const outputs = "outputs: { audit: '{project}/audit.json', summary: all.json, metrics: all.prom }";
const read = (name: string) => readFileSync(path(name), "utf8");
const summary = () => JSON.parse(read("all.json")) as Summary;

function run(yaml: string, args: readonly string[] = [], more: Record<string, string> = {}) {
  writeFileSync(file, `service: { base_url: ${service.url} }\n${yaml}`);
  const key = service.keys.organizationBilling;
  return recount(["run", file, ...args], { RECOUNT_PROJECT_ID: "", RECOUNT_API_KEY: key, ...more });
}

it.runIf(isWhole)(
  "all of one file run, with one summary, the overrides of each and {project} in paths",
  async () => {
    const { code, stdout, stderr } = await run(
      `tables: [experiments]\nlake: lakes/{project}\nprojects: { Listen42: { lake: own }, Motion17: }\n${outputs}\n`,
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(/^Project Listen42 \(1 of 2\)\n[^]*\nProject Motion17 \(2 of 2\)\n/);
    expect(stdout).toMatch(/^Project Listen42\n[^]*\nProject Motion17\n/);
    const { exit_code, runs, ended_at } = summary();
    expect({ exit_code, runs: runs.map((one) => [one.project, one.exit_code]) }).toEqual({
      ...{ exit_code: 0, runs: [["Listen42", 0] as const, ["Motion17", 0] as const] },
    });
    expect(ended_at).not.toBeNull();
    expect(read("all.prom").match(/^recount_run_exit_code\{.*$/gm)).toEqual([
      'recount_run_exit_code{project="Listen42"} 0',
      'recount_run_exit_code{project="Motion17"} 0',
    ]);
    for (const path of [
      "own/Listen42/current",
      "lakes/Motion17/Motion17/current",
      "Motion17/audit.json",
    ])
      expect(read(path).length).toBeGreaterThan(0);
  },
);

it("one that fails stops no other; the exit code is the worst, and the last line names it", async () => {
  const { code, stderr } = await run(
    `tables: [experiments]\nprojects: [Missing9, Motion17]\n${outputs}\n`,
  );
  expect(code).toBe(4);
  expect(stderr).toMatch(
    /^Project Missing9 \(1 of 2\)\nerror: listExperiments: .*\nProject Motion17/,
  );
  expect(stderr.trim().split("\n").at(-1)).toMatch(
    /^recount: 1 of 2 projects did not succeed\. Missing9: listExperiments: .*404/,
  );
  expect(summary()).toMatchObject({
    exit_code: 4,
    runs: [{ exit_code: 4, error: expect.stringContaining("404") as string }, { exit_code: 0 }],
  });
});

it.each([
  [
    "two projects would write one file",
    `projects: [A1, B2]\noutputs: { audit: a.json }`,
    "outputs.audit is the same file for several projects. Put {project} in its path.",
  ],
  [
    "an unknown key of one project",
    "projects: { A1: { lak: x } }",
    "line 2: unknown key projects.A1.lak. Did you mean lake? Known here: service, ",
  ],
  [
    "a value of one project",
    "projects:\n  A1: { export: { concurrency: 0 } }",
    "line 3: projects.A1.export.concurrency must be a whole number from 1 to 64, not 0.",
  ],
  ["an identifier that is none", "projects: { a/b: }", 'the project "a/b" is not an identifier'],
  [
    "no project",
    "projects: []",
    "projects must be a list of at least 1 entry or a map of at least 1 key, for example [Listen42], not [].",
  ],
  [
    "all",
    "projects: all",
    'projects must be a list of at least 1 entry or a map of at least 1 key, for example [Listen42], not "all".',
  ],
  ["a project twice", "projects: [A1, A1]", "projects must not have the same entry twice"],
  [
    "an override that names a project",
    "projects: { A1: { service: { project: B2 } } }",
    "service.project and projects exclude each other",
  ],
  ["{project} without a project", "lake: '{project}'", "the path {project} needs a project"],
])("%s is a mistake, in one line", async (_, yaml, message) => {
  const { code, stderr } = await run(`${yaml}\n`);
  expect({ code, lines: stderr.trim().split("\n") }).toEqual({
    code: 4,
    lines: [expect.stringContaining(message) as string],
  });
});

it("overrides are merged key by key, and lists are replaced", async () => {
  writeFileSync(
    file,
    "export: { concurrency: 2, keep_raw: false }\ntables: [ratings]\nprojects: { A1: { export: { concurrency: 3 }, tables: [jobs] }, B2: }",
  );
  const { all } = await planOf(await readPipeline(file, {}), file);
  expect(
    all.map(({ project, concurrency, keepRaw, tables }) => ({
      project,
      concurrency,
      keepRaw,
      tables,
    })),
  ).toEqual([
    { project: "A1", concurrency: 3, keepRaw: false, tables: ["jobs"] },
    { project: "B2", concurrency: 2, keepRaw: false, tables: ["ratings"] },
  ]);
});

describe.runIf(isWhole)("many projects", () => {
  it("--project chooses one of them; the measurements of the others stay", async () => {
    await run("projects: [Listen42, Motion17]\n", ["-q"], { RECOUNT_API_KEY: "" });
    const { code, stderr } = await run(`projects: [Listen42, Motion17]\n${outputs}\n`, [
      "--project",
      "Motion17",
      "-q",
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(summary().runs.map(({ project }) => project)).toEqual(["Motion17"]);
    expect(read("all.prom")).toMatch(/^recount_run_exit_code\{project="Listen42"\} 4$/m);
    const none = await run("projects: [Listen42]\n", ["--project", "Motion17"]);
    expect(none).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("Motion17 is not one of its projects: Listen42.") as string,
    });
    const variable = await run("projects: [Motion17]\n", ["-q"], {
      RECOUNT_PROJECT_ID: "Listen42",
    });
    expect(variable.code).toBe(0);
  });

  it("conventions of one project hold for its audit offline too, without the variables of other keys", async () => {
    await run("projects: [Listen42]\n", ["-q"]);
    const own =
      "projects: { Listen42: { conventions: { elo: { k: 16 } }, service: { key_file: '${NOT_SET}' } }, Motion17: }";
    writeFileSync(file, own);
    const audit = (...args: string[]) =>
      recount(["audit", "--lake", path("lake"), "--project", "Listen42", ...args]);
    const plain = await audit();
    const other = await audit("--pipeline", file);
    expect(other.stdout).not.toBe(plain.stdout);
    expect(other.stdout).toContain("k=32");
  });

  it("the requests of all stay within one limit", async () => {
    const order: (string | undefined)[] = [];
    let open = 0;
    let most = 0;
    const { origin } = new URL(service.url);
    const pass = async (response: ServerResponse, { url = "", headers }: IncomingMessage) => {
      order.push(/projects\/(\w+)/.exec(url)?.[1]);
      most = Math.max(most, ++open);
      const answer = await fetch(`${origin}${url}`, {
        headers: { authorization: headers.authorization ?? "" },
      });
      const text = await answer.text();
      open--;
      response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
    };
    const counting = await httpServer((response, _, request) => void pass(response, request));
    const { code } = await run(
      "projects: [Listen42, Motion17]\nexport: { concurrency: 2 }\n",
      ["-q"],
      {
        RECOUNT_BASE_URL: service.url.replace(origin, counting.url),
      },
    );
    await counting.close();
    expect({ code, most }).toEqual({ code: 0, most: 2 });
    expect(order.indexOf("Motion17")).toBeGreaterThan(order.lastIndexOf("Listen42"));
  });
});
