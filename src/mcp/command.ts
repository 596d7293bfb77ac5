/** `recount mcp`: a lake for models, over the Model Context Protocol. */
import type { CommandModule, InferredOptionTypes } from "yargs";
import { Type, type Static, type TObject } from "typebox";
import { withoutSecrets } from "../client/index.js";
import {
  codeOf,
  messageOf,
  packageFile,
  readText,
  RecountError,
  schemaCheck,
  sqlText,
  thousands,
  UsageError,
  version,
} from "../platform/index.js";
import { auditOptions, auditSettings, projectOf, reading } from "../commands/index.js";

type McpArguments = InferredOptionTypes<typeof auditOptions>;

interface ToolAnswer {
  /** For a model: Markdown, or the console's lines. */
  readonly text: string;
  /** The same as JSON, for programs. */
  readonly data: object;
}

interface Tool<P extends TObject = TObject> {
  readonly title: string;
  readonly description: string;
  readonly input: P;
  /** @param signal aborts when the client cancels the call or leaves */
  readonly answer: (
    input: Static<P>,
    lake: McpArguments,
    signal: AbortSignal,
  ) => Promise<ToolAnswer>;
}

const tool = <P extends TObject>(one: Tool<P>): Tool => one;

const experimentText = Type.String({ description: "Identifier or name of an experiment" });
const kind = Type.String({ description: "Metric, for example elo" });

const rowLimit = Type.Integer({
  minimum: 1,
  maximum: 1000,
  default: 100,
  description: "Maximum number of rows",
});

/** Characters: more of a cell, or of an answer, would fill a model's context. */
const longestCell = 2000;
const longestAnswer = 200_000;

/** Rows beyond those of an answer that are counted: a query may have no end. */
const mostCountedRows = 100_000;

/**
 * The rows of a query, at most `limit` of them and no more than an answer holds, as a Markdown
 * table.
 */
async function answerOf(
  sql: string,
  limit: number,
  { lake, pipeline, project, snapshot }: McpArguments,
  signal: AbortSignal,
): Promise<ToolAnswer & { readonly count: number }> {
  const { openQueryable, readMethod } = await import("../pipeline/index.js");
  const { markdownHeader, markdownRows } = await import("../report/index.js");
  const chosen = await projectOf({ lake, project });
  const method = await readMethod(pipeline, chosen, process.env);
  const warehouse = await openQueryable(lake, chosen, { snapshot, method, sql });
  const interrupt = () => warehouse.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    const stream = await warehouse.stream(sql);
    const lines = [markdownHeader(stream.columns)];
    const rows: unknown[] = [];
    let length = 0;
    // One after the other: each may be large.
    while (lines.length <= limit && length < longestAnswer - 10 * longestCell) {
      const row = await stream.take(1);
      if (row.length === 0) break;
      const line = markdownRows(row, longestCell);
      length += line.length;
      lines.push(line);
      rows.push(...row);
    }
    const more = await stream.skip(mostCountedRows);
    const rest =
      more < mostCountedRows ? thousands(more) : `At least ${thousands(mostCountedRows)}`;
    if (more > 0) lines.push(`\n${rest} more rows. Narrow the query, or raise rows.`);
    return {
      text: lines.join("\n"),
      data: { columns: stream.columns.map(({ name }) => name), rows },
      count: rows.length,
    };
  } finally {
    signal.removeEventListener("abort", interrupt);
    warehouse.close();
  }
}

const lakeTools: Readonly<Record<string, Tool>> = {
  list_snapshots: tool({
    title: "Snapshots",
    description:
      "Snapshots of the lake, the newest last: when they were exported, their experiments and rows",
    input: Type.Object({}),
    async answer(_, lake) {
      const { summariseSnapshots } = await import("../lake/index.js");
      const { renderSnapshots } = await import("../report/index.js");
      const snapshots = await summariseSnapshots(lake.lake, await projectOf(lake));
      return { text: renderSnapshots(snapshots), data: { snapshots } };
    },
  }),
  verdicts: tool({
    title: "Verdicts",
    description:
      "The audit: which published numbers follow from the ratings, which do not, and why",
    input: Type.Object({}),
    async answer(_, lake) {
      const { auditOnce } = await import("../audit/index.js");
      const { renderMarkdown } = await import("../report/index.js");
      return reading(lake, async (project, wanted) => {
        const settings = await auditSettings({ ...lake, snapshot: wanted }, project);
        const { report, close } = await auditOnce(lake.lake, project, {
          ...settings,
          models: "audited",
        });
        close();
        const { snapshot, summary, findings } = report;
        return { text: renderMarkdown(report), data: { snapshot, summary, findings } };
      });
    },
  }),
  explain: tool({
    title: "Explain numbers",
    description:
      "How one published number, or all of one metric of an experiment, was computed from " +
      "the ratings",
    input: Type.Object({
      experiment: experimentText,
      kind,
      item: Type.Optional(Type.String({ description: "Item; default all" })),
    }),
    async answer(input, lake) {
      const { auditLake, traceNumbers } = await import("../audit/index.js");
      const { renderTrace } = await import("../report/index.js");
      return reading(lake, async (project, snapshot) => {
        const settings = await auditSettings({ ...lake, snapshot }, project);
        const { report, warehouse } = await auditLake(lake.lake, project, settings);
        try {
          const data = await traceNumbers(warehouse, report, settings.conventions, input);
          return { text: renderTrace(data, 20), data };
        } finally {
          warehouse.close();
        }
      });
    },
  }),
  leaderboard: tool({
    title: "Leaderboard",
    description:
      "Items of an experiment by rank in their class under each metric, with intervals. " +
      "Without a direction rank 1 is the highest",
    input: Type.Object({ experiment: experimentText, kind: Type.Optional(kind) }),
    async answer(input, lake, signal) {
      const { experiment, kind: wanted } = input;
      const own = wanted === undefined ? "" : ` and kind = ${sqlText(wanted)}`;
      const named = `${sqlText(experiment)} in (experiment_id, experiment_name)`;
      const sql = `from leaderboard where ${named}${own}`;
      const answer = await answerOf(sql, 1000, lake, signal);
      const by = wanted === undefined ? "" : ` by ${wanted}`;
      if (answer.count === 0) throw new UsageError(`No ranking of ${experiment}${by}.`);
      return answer;
    },
  }),
  sql: tool({
    title: "Query",
    description:
      "One read-only SQL query in DuckDB's dialect; `show tables` lists tables and models",
    input: Type.Object({
      query: Type.String({ description: "SQL" }),
      rows: Type.Optional(rowLimit),
    }),
    answer: async ({ query, rows = 100 }, lake, signal) => answerOf(query, rows, lake, signal),
  }),
};

/** A text that a client may read without a call, for example as the context of a question. */
const dictionary = {
  uri: "recount://dictionary",
  name: "dictionary",
  description: "Every table and column that a query can name, with its meaning and unit",
  mimeType: "text/markdown",
} as const;

/** The SDK of the protocol. @throws UsageError if it is not installed */
const sdk = () =>
  Promise.all([
    import("@modelcontextprotocol/sdk/server/mcp.js"),
    import("@modelcontextprotocol/sdk/server/stdio.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]).catch((error: unknown) => {
    if (codeOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    const how = "run `npm install @modelcontextprotocol/sdk` beside Recount";
    throw new UsageError(`recount mcp needs one more package: ${how}.`, { cause: error });
  });

export const command: CommandModule<object, McpArguments> = {
  command: "mcp",
  describe: "Answer a language model's questions about a lake, over the Model Context Protocol",
  builder: (yargs) =>
    yargs
      .options(auditOptions)
      .example("recount mcp --lake lake", "Serve the lake on standard input and output"),
  handler: async (args) => {
    const [
      { McpServer },
      { StdioServerTransport },
      {
        CallToolRequestSchema,
        ListResourcesRequestSchema,
        ListToolsRequestSchema,
        ReadResourceRequestSchema,
      },
    ] = await sdk();
    // A wrong folder is refused before a client waits for an answer.
    await projectOf(args);
    const { server } = new McpServer(
      { name: "recount", version },
      { capabilities: { resources: {}, tools: {} } },
    );
    server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [dictionary] }));
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
      const { uri, mimeType } = dictionary;
      if (params.uri !== uri)
        throw new UsageError(`There is no resource ${params.uri}. There is ${uri}.`);
      const text = await readText(packageFile("docs/reference/data-dictionary.md"));
      return { contents: [{ uri, mimeType, text: shortened(text) }] };
    });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: Object.entries(lakeTools).map(([name, { title, description, input }]) => ({
        name,
        title,
        description,
        inputSchema: input,
        annotations: { readOnlyHint: true, openWorldHint: false },
      })),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
      const answer = await called(params.name, params.arguments ?? {}, args, signal);
      const content = [{ type: "text", text: shortened(answer.text) }];
      const isError = !("data" in answer);
      return { content, isError, ...(!isError && structured(answer.data)) };
    });
    const closed = new Promise<void>((resolve) => {
      server.onclose = resolve;
      process.stdin.once("end", resolve);
    });
    await server.connect(new StdioServerTransport());
    await closed;
    await server.close();
  },
};

/** A text as a client gets it: without secrets, and no longer than an answer may be. */
function shortened(text: string): string {
  const shown = withoutSecrets(text);
  const size = `${thousands(shown.length)} characters`;
  const end = `\n\nThe answer ends here: it has ${size}. Ask for less.`;
  return shown.length <= longestAnswer ? shown : shown.slice(0, longestAnswer) + end;
}

/** Integers beyond 2^53 are text. None if it is longer than an answer may be. */
function structured(data: object): { structuredContent?: Record<string, unknown> } {
  const json = JSON.stringify(data, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  if (json.length > longestAnswer) return {};
  return { structuredContent: JSON.parse(withoutSecrets(json)) as Record<string, unknown> };
}

/** What is wrong with a call is an answer too, which the model can read. */
async function called(
  name: string,
  input: Readonly<Record<string, unknown>>,
  args: McpArguments,
  signal: AbortSignal,
): Promise<ToolAnswer | { text: string }> {
  const refused = (text: string) => ({ text });
  const asked = Object.hasOwn(lakeTools, name) ? lakeTools[name] : undefined;
  if (asked === undefined)
    return refused(`There is no tool ${name}. The tools are ${Object.keys(lakeTools).join(", ")}.`);
  const problem = schemaCheck(asked.input)(input);
  if (problem !== null) return refused(`${name}: ${problem}.`);
  try {
    return await asked.answer(input, args, signal);
  } catch (error) {
    if (!(error instanceof RecountError)) throw error;
    return refused(messageOf(error));
  }
}
