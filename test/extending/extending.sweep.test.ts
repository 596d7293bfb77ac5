import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  copyProject,
  readRecipes,
  recipe,
  type ProjectCopy,
  type Step,
} from "../support/extension.js";

const generators = [
  "test/warehouse/describe-models.test.ts",
  "test/pipeline/read-pipeline.test.ts",
  "test/docs.test.ts",
];
const generated: Step[] = [
  "docs/reference/models.md",
  "docs/reference/cli.md",
  "sql/dag.md",
  "docs/reference/pipeline.schema.json",
].map((file) => ({
  file,
  isPatch: true,
  text: "",
}));
const structureTests = ["test/layers.long.test.ts", "test/docs.test.ts"];
const isTypeScript = (file: string) => file.endsWith(".ts");

describe("in a copy of the project, docs/how-to/extending.md", () => {
  let copy: ProjectCopy;
  let applied: readonly Step[] = [];
  beforeAll(() => {
    copy = copyProject();
  });
  afterEach(() => {
    copy.revert([...applied, ...generated]);
    applied = [];
  });
  afterAll(() => copy.remove());

  const apply = (steps: readonly Step[]) => {
    copy.apply(steps);
    applied = steps;
  };
  const types = () =>
    copy.run("tsc", "--noEmit", "--incremental", "--tsBuildInfoFile", "types.tsbuildinfo");
  const tests = (...files: string[]) => copy.run("vitest", "run", ...files);
  const lint = async (steps: readonly Step[]) => {
    const files = [...new Set(steps.map(({ file }) => file).filter(isTypeScript))];
    return [await copy.run("prettier", "--write", ...files), await copy.run("eslint", ...files)];
  };
  const npmRunDocs = () => copy.run("vitest", "run", ...generators, "--update");

  /** `omitted`: the step without which the recipe's own test must fail. */
  const added = [
    { title: "A check", own: "test/sql/checks.test.ts", omitted: "test/sql/checks.test.ts" },
    {
      title: "A metric kind",
      own: "test/audit/net-preference.test.ts",
      omitted: "src/metrics/kinds.ts",
    },
    {
      title: "An operation",
      own: "test/extract/teams.test.ts",
      omitted: "src/contract/tables.ts",
    },
  ];

  test("adds all six at once, with their documents, and lint and the tests of the structure pass", async () => {
    const steps = readRecipes().flatMap((one) => one.steps);
    apply(steps);
    expect(await npmRunDocs()).toBeNull();
    expect(await types()).toBeNull();
    expect(await lint(steps)).toEqual([null, null]);
    const own = [
      "test/audit/documented.test.ts",
      "test/emulator/faults.test.ts",
      "test/extract/faults.test.ts",
      "test/pipeline/outputs.test.ts",
      ...added.map((one) => one.own),
    ];
    expect(await tests(...structureTests, ...generators, ...own)).toBeNull();
  });

  test.each(added)("needs each step that it says: $title", async ({ title, own, omitted }) => {
    const steps = recipe(title);
    apply(steps.filter(({ file }) => file !== omitted));
    expect(await tests(own)).toMatch(/Tests .*failed/);
  });
});
