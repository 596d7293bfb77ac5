import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bin } from "../support/command-line.js";
import { goldenLake } from "../support/kept.js";

const client = new Client({ name: "test", version: "1" });

beforeAll(async () => {
  const lake = await goldenLake("tiny-pairwise");
  const transport = new StdioClientTransport({ command: process.execPath, args: [bin, "mcp", "--lake", lake] });
  await client.connect(transport);
});
afterAll(() => client.close());

/** What a tool answers to a real client. */
async function ask(name: string, input: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as { type: string; text: string }[];
  return { text: first?.text ?? "", isError };
}

it("lists its tools, which only read", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["list_snapshots", "verdicts", "explain", "leaderboard", "sql"]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
});

it("answers from the lake: snapshots, verdicts, a number, a ranking, SQL", async () => {
  const experiment = "exp1";
  const answers: [text: RegExp, tool: string, input?: Record<string, unknown>][] = [
    [/\d{8}T\d+Z/, "list_snapshots"],
    [/published/, "verdicts"],
    [/\| exp1 \| Tiny pairwise \| elo \|.*\| 1 \| \w+ \|/, "leaderboard", { experiment, kind: "elo" }],
    [/elo/, "explain", { experiment, kind: "elo", item: "A" }],
  ];
  for (const [says, name, input] of answers) {
    const { text, isError } = await ask(name, input);
    expect(isError, text).toBe(false);
    expect(text).toMatch(says);
  }
  const some = await ask("sql", { query: "from range(7) as t(n)", rows: 3 });
  expect(some.text.split("\n")).toHaveLength(7);
  expect(some.text).toContain("4 more rows");
});

it.each([
  ["sql", { query: "copy ratings to '/tmp/recount-mcp.csv'" }, /copy|read|only/i],
  ["sql", { query: "from read_csv('/etc/passwd')" }, /passwd|permission|disabled/i],
  ["sql", { query: "from nothing" }, /nothing/],
  ["sql", {}, /query/],
  ["sql", { query: "select 1", rows: 0 }, /rows/],
  ["explain", { experiment: "none", kind: "elo" }, /none/],
  ["leaderboard", { experiment: "none" }, /No ranking of none/],
  ["delete_all", {}, /no tool delete_all.*list_snapshots/],
])("refuses %s %j with a sentence", async (name, input, says) => {
  const { text, isError } = await ask(name, input);
  expect(isError).toBe(true);
  expect(text).toMatch(says);
});
