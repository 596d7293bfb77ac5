import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bin } from "../support/command-line.js";
import { copyOf, goldenLake, goldenProject } from "../support/kept.js";

const client = new Client({ name: "test", version: "1" });

let lake = "";
beforeAll(async () => {
  lake = await goldenLake("tiny-pairwise");
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp", "--lake", lake],
  });
  await client.connect(transport);
});
afterAll(() => client.close());

async function ask(name: string, input: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name, arguments: input });
  const [first] = answer.content as { type: string; text: string }[];
  return { text: first?.text ?? "", isError: answer.isError, data: answer.structuredContent };
}

it("lists its tools, which only read", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "list_snapshots",
    "verdicts",
    "explain",
    "leaderboard",
    "sql",
  ]);
  for (const { title, annotations } of tools)
    expect([title, annotations?.readOnlyHint]).toEqual([expect.stringMatching(/^[A-Z]/), true]);
});

it("answers from the lake: snapshots, verdicts, a number, a ranking, SQL", async () => {
  const experiment = "exp1";
  const answers: [text: RegExp, data: string, tool: string, input?: Record<string, unknown>][] = [
    [/\d{8}T\d+Z/, "snapshots.0.id", "list_snapshots"],
    [/published/, "summary.exact", "verdicts"],
    [
      /\| exp1 \| Tiny pairwise \| elo \|.*\| 1 \| \w+ \|/,
      "rows.0.1",
      "leaderboard",
      { experiment, kind: "elo" },
    ],
    [/elo/, "parts.0.rows", "explain", { experiment, kind: "elo", item: "A" }],
  ];
  for (const [says, where, name, input] of answers) {
    const { text, isError, data } = await ask(name, input);
    expect(isError, text).toBe(false);
    expect(text).toMatch(says);
    expect(data).toHaveProperty(where);
  }
  const some = await ask("sql", { query: "from range(7) as t(n)", rows: 3 });
  expect(some.text.split("\n")).toHaveLength(7);
  expect(some.text).toContain("4 more rows");
  expect(some.data).toEqual({ columns: ["n"], rows: [[0], [1], [2]] });
});

it("offers the dictionary as a resource", async () => {
  const uri = "recount://dictionary";
  expect((await client.listResources()).resources).toMatchObject([{ uri }]);
  const { contents } = await client.readResource({ uri });
  const dictionary = readFileSync("docs/reference/data-dictionary.md", "utf8");
  expect(contents).toMatchObject([{ text: dictionary }]);
  await expect(client.readResource({ uri: "recount://ratings" })).rejects.toThrow(
    "There is no resource recount://ratings. There is recount://dictionary.",
  );
});

it("answers the verdicts of unchanged data from the audit before", async () => {
  const own = copyOf(lake);
  const other = new Client({ name: "test", version: "1" });
  const args = [bin, "mcp", "--lake", own];
  await other.connect(new StdioClientTransport({ command: process.execPath, args }));
  const verdicts = async () => {
    const { content } = await other.callTool({ name: "verdicts", arguments: {} });
    return (content as { text: string }[])[0]?.text;
  };
  try {
    const first = await verdicts();
    const folder = join(own, goldenProject, "derived/.kept");
    const file = join(folder, readdirSync(folder).find((name) => name.startsWith("audit")) ?? "");
    const before = statSync(file, { bigint: true });
    expect(await verdicts()).toBe(first);
    const after = statSync(file, { bigint: true });
    // A new audit would write its result to a new file.
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  } finally {
    await other.close();
    rmSync(own, { recursive: true });
  }
});

it("counts only so many rows, and shows only so much of a cell and of an answer", async () => {
  const endless = await ask("sql", { query: "select 1 as one from range(1e17::bigint)", rows: 1 });
  expect(endless).toMatchObject({
    isError: false,
    text: expect.stringContaining("At least 100,000 more rows.") as string,
  });
  const long = await ask("sql", { query: "select repeat('x', 5000) as x", rows: 1 });
  expect(long.text).toMatch(/\| x{2000}… \(5,000 characters\) \|$/);
  const { text } = await ask("sql", {
    query: "select repeat('x', 2000) as x from range(1000)",
    rows: 1000,
  });
  expect(text.length).toBeLessThan(210_000);
  expect(text.slice(-100)).toContain("more rows. Narrow the query");
  const wide = await ask("sql", {
    query: `select ${Array.from({ length: 20_000 }, (_, i) => `1 as column_${i}`).join()}`,
  });
  expect(wide.data).toBeUndefined();
  expect(wide.text).toMatch(/The answer ends here: it has [\d,]+ characters\. Ask for less\.$/);
});

it("writes nothing but lines of the protocol to its standard output, whatever a query asks the engine for", async () => {
  const server = spawn(process.execPath, [bin, "mcp", "--lake", lake], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const closed = new Promise((resolve) => server.once("close", resolve));
  const say = (message: object) =>
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  say({ id: "first", method: "initialize", params });
  say({ method: "notifications/initialized" });
  const queries = [
    "select '--', * from query('from enable' || '_logging(storage = ''stdout'')')",
    "select '--', * from query('from enable' || '_logging(storage = ''file'', storage_path = ''/tmp/x'')')",
    "from enable_profiling(format = 'query_tree')",
    "pivot (select 1 as x from query('from enable' || '_logging(storage = ''stdout'')')) on x; select 1",
    "select 'still here' as x",
  ];
  for (const [id, query] of queries.entries())
    say({ id, method: "tools/call", params: { name: "sql", arguments: { query } } });
  const answers = new Map<unknown, unknown>();
  for await (const line of createInterface({ input: server.stdout })) {
    const { jsonrpc, id, result } = JSON.parse(line) as {
      jsonrpc: string;
      id: unknown;
      result: unknown;
    };
    expect(jsonrpc).toBe("2.0");
    answers.set(id, result);
    if (answers.size > queries.length) server.stdin.end();
  }
  expect(await closed).toBe(0);
  const refusals = queries.slice(0, -1).map((_, id) => answers.get(id));
  expect(refusals.every((answer) => (answer as { isError: boolean }).isError)).toBe(true);
  expect(JSON.stringify(answers.get(queries.length - 1))).toContain("still here");
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
