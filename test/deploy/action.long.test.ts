import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { folderOfTests } from "../support/folder.js";
import { goldenPaths } from "../support/golden-case.js";
import { testProject } from "../support/project.js";
import { root } from "../support/root.js";

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
};
const runner = folderOfTests("recount-action");
let installed = "";
const checkout = join(runner, "action");
const right = await testProject();
const damaged = { damage: "add", item: "A", field: "value", by: 12.5 } as const;
const wrong = await testProject({
  load: goldenPaths("tiny-pairwise"),
  publishing: [{ kinds: ["percent_chosen"], corruption: damaged }],
});

beforeAll(async () => {
  // As GitHub has it: the files of the repository, without anything built or installed.
  mkdirSync(checkout);
  const files = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { cwd: root },
  );
  execFileSync("tar", ["-c", "-f", join(runner, "a.tar"), "--null", "-T", "-"], {
    cwd: root,
    input: files,
  });
  execFileSync("tar", ["-x", "-f", join(runner, "a.tar"), "-C", checkout]);
  const release = join(runner, "release");
  mkdirSync(release);
  execFileSync("npm", ["run", "declarations"], { cwd: root });
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", release], { cwd: root });
  const digest = { ...process.env, npm_config_pack_destination: release };
  execFileSync(process.execPath, ["tools/digest.js"], { cwd: root, env: digest });
  mkdirSync(join(runner, "bin"));
  // GitHub's command line, for the one thing that the action asks of it.
  writeFileSync(
    join(runner, "bin", "gh"),
    `#!/bin/sh
[ "$1 $2 $3" = "release download v${version}" ] && [ -d "$RELEASE" ] && cp "$RELEASE"/* "$9"
`,
    { mode: 0o755 },
  );
  const { code, stderr, temp } = runStep("Install");
  expect(code, stderr).toBe(0);
  installed = join(temp, "recount-installed");
  for (const { path, recount } of [right, wrong])
    expect((await recount(["export", "--lake", path("lake")])).code).toBe(0);
}, 900_000);

/** The registry's settings among others; not what would change Recount, or the test's own way of loading modules. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(RECOUNT|NODE_OPTIONS|VITEST)/.test(name)),
);

function runStep(
  name: string,
  given: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {},
) {
  const temp = mkdtempSync(join(runner, "temp-"));
  if (installed !== "") symlinkSync(installed, join(temp, "recount-installed"));
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([key, { default: value }]) => [key, value]),
  );
  const filled = (text: string) =>
    text.replace(
      /\$\{\{ inputs\.(\w+) \}\}/g,
      (_, key: string) => ({ ...inputs, ...given })[key] ?? "",
    );
  const { run = "", env = {} } = action.runs.steps.find((step) => step.name === name) ?? {};
  const [summary, output] = [join(temp, "summary"), join(temp, "output")];
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", run],
    {
      encoding: "utf8",
      env: {
        ...inherited,
        PATH: `${join(runner, "bin")}:${process.env.PATH ?? ""}`,
        RELEASE: join(runner, "release"),
        GITHUB_ACTION_PATH: checkout,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
        RUNNER_TEMP: temp,
        ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, filled(value)])),
        ...more,
      },
    },
  );
  const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
  return { code: status, stdout, stderr, temp, summary: read(summary), output: read(output) };
}

it("audits a lake: summary, output, files and no annotation where all is well", () => {
  const { code, stdout, stderr, summary, output, temp } = runStep("Audit", {
    lake: right.path("lake"),
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(summary).toMatch(/^### /);
  expect(output).toBe("exit-code=0\n");
  expect(stdout).not.toContain("::error");
  for (const name of ["audit.json", "audit.md", "audit.xml", "report.html"])
    expect(existsSync(join(temp, "recount", name)), name).toBe(true);
});

it("annotates what does not reproduce, and ends with the audit's code", () => {
  const { code, stdout, summary, output, temp } = runStep("Audit", { lake: wrong.path("lake") });
  expect(code).toBe(1);
  expect(output).toBe("exit-code=1\n");
  expect(stdout).toMatch(/^::error title=.*percent_chosen::unexplained/m);
  expect(summary).toContain("percent_chosen");
  expect(existsSync(join(temp, "recount", "report.html"))).toBe(true);
});

it("stops with the line of a usage error", () => {
  const { code, stderr } = runStep("Audit", { lake: right.path("none") });
  expect(code).toBe(4);
  expect(stderr).toContain("no snapshot");
});

it("installs the package and what it needs, not what builds and tests it", () => {
  const packages = readdirSync(join(installed, "node_modules")).filter((name) => /^\w/.test(name));
  expect(packages.toSorted()).toEqual(["detect-libc", "recount", "typebox"]);
});

it("says what is missing if there is no release, and installs nothing that differs from it", () => {
  const none = runStep(
    "Install",
    {},
    { RELEASE: join(runner, "none"), REPOSITORY: "studies/recount" },
  );
  expect(none.code).toBe(4);
  expect(none.stdout).toContain(
    `::error::studies/recount has no release v${version} with recount-${version}.tgz. Publish it`,
  );
  const changed = join(runner, "changed");
  cpSync(join(runner, "release"), changed, { recursive: true });
  appendFileSync(join(changed, `recount-${version}.tgz`), "x");
  const { code, stderr } = runStep("Install", {}, { RELEASE: changed });
  expect(code).toBe(1);
  expect(stderr).toContain("did NOT match");
});

it("makes bundles that name the tarball of its release", () => {
  const bundle = join(runner, "evidence.zip");
  const bin = join(installed, "node_modules/recount/bin/recount.js");
  const args = ["audit", "--lake", right.path("lake"), "--bundle", bundle];
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  const readme = execFileSync("unzip", ["-p", bundle, "README.txt"], { encoding: "utf8" });
  const file = join(runner, "release", `recount-${version}.tgz.sha512`);
  expect(readme).toContain(readFileSync(file, "utf8").split(" ")[0]);
});
