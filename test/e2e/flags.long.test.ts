import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import yargs from "yargs";
import { commandNames, loadCommand } from "../../src/commands/main.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";

const dir = folderOfTests("recount-flags");
const home = process.cwd();
beforeAll(() => process.chdir(dir));
afterAll(() => process.chdir(home));

/** What each command needs so that it ends with an error instead of working or waiting. Null: it works with any text. */
const needed: Record<string, string[] | null> = {
  demo: null,
  run: ["nowhere.yaml"],
  schedule: ["nowhere.yaml"],
  check: ["nowhere.yaml"],
  export: [],
  import: ["mapping.yaml"],
  mcp: [],
  transform: [],
  audit: [],
  report: [],
  explain: ["an experiment", "elo"],
  verify: [],
  snapshots: ["list"],
  diff: [],
  status: [],
  query: ["select 1"],
  call: ["listJobs"],
  serve: ["--load", "nowhere.json"],
  openapi: null,
};

interface Flag {
  readonly command: string;
  readonly name: string;
  readonly type: "number" | "boolean" | "choice" | "text";
}

async function allFlags(): Promise<Flag[]> {
  const flags: Flag[] = [];
  for (const name of commandNames) {
    const { command, builder } = await loadCommand(name);
    const parser = yargs([]).help(false).version(false);
    await builder(parser);
    type Options = Record<"number" | "boolean", string[]> &
      Record<"key" | "choices", Record<string, unknown>>;
    const { number, boolean, key, choices } = (
      parser as unknown as { getOptions(): Options }
    ).getOptions();
    const positional = new Set(command.match(/[\w-]+/g));
    for (const flag of Object.keys(key).filter((one) => !positional.has(one))) {
      const type = number.includes(flag) ? "number" : boolean.includes(flag) ? "boolean" : "text";
      flags.push({ command: name, name: flag, type: flag in choices ? "choice" : type });
    }
  }
  return flags;
}

async function refused(args: readonly string[], flag?: string): Promise<void> {
  const { code, stdout, stderr } = await recountHere(args);
  const told = { args, stdout, lines: stderr.trim().split("\n") };
  expect(told).toEqual({
    args,
    stdout: "",
    lines: [expect.stringMatching(/^recount: (?!internal)/)],
  });
  if (flag !== undefined) expect(stderr).toMatch(new RegExp(`^recount: (--)?${flag} `));
  expect([3, 4]).toContain(code);
}

describe("every flag of every command", async () => {
  const flags = await allFlags();

  it("is known here with what its command needs", () => {
    expect(Object.keys(needed).sort()).toEqual([...commandNames].sort());
    expect(flags.length).toBeGreaterThan(50);
    expect(new Set(flags.map(({ type }) => type)).size).toBe(4);
  });

  it.each(Object.keys(needed))(
    "of %s refuses what it cannot use, in one line that names it",
    async (command) => {
      for (const { name, type } of flags.filter((flag) => flag.command === command)) {
        const base = [command, ...(needed[command] ?? [])];
        const given = (value: string) => [
          ...base,
          ...(type === "boolean" ? [`--${name}=${value}`] : [`--${name}`, value]),
        ];
        const [never, maybe] = {
          number: [
            ["-1", "abc", "", "NaN", "1e99"],
            ["0", "2.5"],
          ],
          boolean: [["0", "-1", "2.5", "abc", ""], []],
          choice: [["0", "-1", "2.5", "abc", ""], []],
          text: [[""], ["0", "-1", "2.5", "abc"]],
        }[type] as [string[], string[]];
        for (const value of never) await refused(given(value), name);
        if (needed[command] !== null) for (const value of maybe) await refused(given(value));
      }
    },
  );

  it.each([
    ["a whole number", ["audit", "--rows", "2.5"], "rows"],
    ["a whole number", ["snapshots", "prune", "--keep-last", "2.5"], "keep-last"],
    ["at least one", ["snapshots", "prune", "--keep-last", "0"], "keep-last"],
    ["at least one", ["snapshots", "prune", "--keep-daily", "0"], "keep-daily"],
    ["a share", ["export", "--max-shrink", "2.5"], "max-shrink"],
    ["one value", ["audit", "--lake", "a", "--lake", "b"], "lake"],
    ["a value", ["audit", "--lake"], "lake"],
    ["a value after =", ["audit", "--lake="], "lake"],
  ])("wants %s: %j", (_, args, flag) => refused(args, flag));
});

it.each([
  ["an empty query", ["query", ""]],
  ["a query of spaces", ["query", " "]],
  ["an empty file", ["verify", ""]],
  ["an unknown flag", ["audit", "--jsn", "x"]],
  ["an unknown argument", ["audit", "x"]],
  ["an unknown action", ["snapshots", "remove"]],
  ["an unknown command", ["exprt"]],
  ["no command", []],
  ["no query", ["query"]],
  ...["list", "prune --keep-last 1"].flatMap((action) =>
    [[], ["--project", "p"], ["--lake", import.meta.filename]].map((lake): [string, string[]] => [
      `snapshots ${action} of a lake that is not there`,
      ["snapshots", ...action.split(" "), ...lake],
    ]),
  ),
  ...["transform", "audit", "verify", "query ratings", "explain x elo"].flatMap((command) =>
    [
      ["--project", "p"],
      ["--lake", import.meta.filename, "--project", "p"],
    ].map((lake): [string, string[]] => [
      `${command} of a lake that is not there`,
      [...command.split(" "), ...lake],
    ]),
  ),
])("%s is one line: %j", async (_, args) => {
  await refused(args);
  expect(existsSync(join(dir, "lake"))).toBe(false);
});

const lists =
  ' `recount snapshots list` lists snapshots, `recount query "show tables"` tables and models, `recount call` operations.';

it.each([
  ["audit --jsn x", "audit has no flag --jsn. Did you mean --json?"],
  ["audit -json x", "audit has no flag -json. Did you mean --json?"],
  ["run --quite nightly.yaml", "run has no flag --quite. Did you mean --quiet?"],
  ["export --max-shrnk=1", "export has no flag --max-shrnk. Did you mean --max-shrink?"],
  ["export --list", `export has no flag --list.${lists}`],
  ["query --list", `query has no flag --list.${lists}`],
  ["--list", `There is no flag --list.${lists}`],
  ["snapshots --list", "snapshots has no flag --list. Write `recount snapshots list`."],
  ["--audit", "There is no flag --audit. Write `recount audit`."],
  ["run --keep 3 x.yaml", "run has no flag --keep. `recount run --help` lists them."],
  [
    "snapshots prune --keep 3",
    "snapshots has no flag --keep. These begin with it: --keep-last, --keep-daily, --keep-monthly, --keep-yearly, --keep-models.",
  ],
  ["query --frobnicate", "query has no flag --frobnicate. `recount query --help` lists them."],
  ["--versoin", "There is no flag --versoin. Did you mean --version?"],
  ["exprt", "There is no command exprt. Did you mean export?"],
  ["frobnicate", "There is no command frobnicate. `recount --help` lists them."],
  [
    "explain a",
    "An argument is missing: write `recount explain <experiment> <kind> [item]`. `recount explain --help` has an example.",
  ],
  ["audit x", "Unexpected argument: x. `recount <command> --help` shows what a command takes."],
  ["call listRating", 'There is no operation "listRating". Did you mean listRatings?'],
])("%s names what does not exist, and the nearest that does", async (line, told) => {
  const { code, stdout, stderr } = await recountHere(line.split(" "));
  expect({ code, stdout, stderr }).toEqual({ code: 4, stdout: "", stderr: `recount: ${told}\n` });
});

describe("a pipeline file", () => {
  const bomb = [
    "a: &a [x, x, x, x, x, x, x, x, x]",
    ..."bcdefghi".split("").map((name, i) => {
      const before = "abcdefgh"[i] ?? "";
      return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(", ")}]`;
    }),
  ].join("\n");

  it.each([
    ["multiplies its aliases", bomb],
    [
      "multiplies its aliases within a known key",
      `selection:\n  names: [${"[".repeat(3)}]]]\n${bomb}`,
    ],
    ["is nested too deeply", `tables: ${"[".repeat(20_000)}`],
    ["is text", "just text"],
    ["has an unknown key within another", "export: { concurency: 3 }"],
    ...["0", "2.5", "65", ".nan"].map((value) => [
      `sets concurrency to ${value}`,
      `export: { concurrency: ${value} }`,
    ]),
    ...["some", "{ last: 0 }", "{ daily: 2.5 }", "{ weekly: 1 }", "{ models: -1 }"].map((value) => [
      `sets keep to ${value}`,
      `keep: ${value}`,
    ]),
    ["sets max_shrink to 2.5", "export: { max_shrink: 2.5 }"],
  ])("that %s is one line", async (_, text = "") => {
    const file = join(dir, "p.yaml");
    writeFileSync(file, `${text}\n`);
    await refused(["run", file], ".*p\\.yaml[:,]");
  });

  it.each([
    ["lak: x", "line 1: unknown key lak. Did you mean lake?"],
    [
      "lake: x\nexport:\n  concurency: 3",
      "line 3: unknown key export.concurency. Did you mean concurrency?",
    ],
    ["conventions: { elo: { kk: 1 } }", "line 1: unknown key conventions.elo.kk. Did you mean k?"],
    [
      "accept:\n  - { experimnt: x }",
      "line 2: unknown key accept, entry 1, experimnt. Did you mean experiment?",
    ],
  ])("names line, key and the nearest known key: %j", async (text, told) => {
    const file = join(dir, "mistyped.yaml");
    writeFileSync(file, `${text}\n`);
    expect((await recountHere(["run", file])).stderr).toContain(
      `mistyped.yaml, ${told} Known here: `,
    );
  });
});
