/**
 * Statements that a person wrote: run one by one, confined, and with the engine's errors in plain
 * words.
 */
import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { codeOf, exitCodes, messageOf, QueryError, allowOnly } from "../../platform/index.js";
import { StatementType } from "./api.js";
import type { Bind } from "./declared.js";

const extractFailure = "Failed to extract statements: ";

/** Throws the parser's message, or that there is no statement. */
export async function parsedStatements(connection: DuckDBConnection, sql: string) {
  return connection.extractStatements(sql).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : "";
    if (message.startsWith(extractFailure))
      throw new Error(message.slice(extractFailure.length), { cause: error });
    throw new Error("it holds no statement", { cause: error });
  });
}

export interface Guard {
  readonly judge: (type: StatementType, text: string) => Promise<void>;
  readonly bind: Bind;
}

const statementCount = (connection: DuckDBConnection, text: string): Promise<number | null> =>
  connection.extractStatements(text).then(
    ({ count }) => count,
    (error: unknown) => (messageOf(error).startsWith(extractFailure) ? null : 0),
  );

const marks = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--.*|\/\*[^]*?\*\/|\$(\w*)\$[^]*?\$\1\$|;/g;

/** The engine finds statements, too, but does not say where; a pivot is several to it. */
async function textsOf(connection: DuckDBConnection, sql: string): Promise<string[]> {
  const { count } = await parsedStatements(connection, sql);
  if (count === 1) return [sql];
  const ends = [...sql.matchAll(marks)].filter(([mark]) => mark === ";").map(({ index }) => index);
  const texts: string[] = [];
  let found = 0;
  for (const [i, end] of [...ends, sql.length].entries()) {
    const text = sql.slice(i === 0 ? 0 : (ends[i - 1] ?? 0) + 1, end);
    const own = await statementCount(connection, text);
    if (own !== 0) texts.push(text);
    found += own ?? NaN;
  }
  if (found !== count) throw new Error("its statements cannot be told apart. Run each by itself");
  return texts;
}

export async function runStatements<T>(
  connection: DuckDBConnection,
  sql: string,
  guard: Guard,
  last: (statement: DuckDBPreparedStatement) => Promise<T>,
): Promise<T> {
  const texts = await textsOf(connection, sql);
  for (const [i, text] of texts.slice(0, -1).entries())
    await runStatement(connection, text, guard, async (statement) => {
      if (statement.statementType === StatementType.SELECT)
        throw new Error(
          `statement ${i + 1} of ${texts.length} is a query, and only the last one's rows ` +
            "are shown. Run it by itself",
        );
      await statement.run();
    });
  return runStatement(connection, texts.at(-1) ?? "", guard, last);
}

async function runStatement<T>(
  connection: DuckDBConnection,
  text: string,
  { judge, bind }: Guard,
  last: (statement: DuckDBPreparedStatement) => Promise<T>,
): Promise<T> {
  let statements = await parsedStatements(connection, text);
  let isUsed = false;
  for (let i = 0; ; i++) {
    const statement = await bind(text, async () => {
      // A statement can be prepared only once, whether it binds or not.
      if (isUsed) statements = await parsedStatements(connection, text);
      isUsed = true;
      return statements.prepare(i);
    });
    isUsed = false;
    try {
      await judge(statement.statementType, text);
      if (i === statements.count - 1) return await last(statement);
      await statement.run();
    } finally {
      statement.destroySync();
    }
  }
}

/** EXPLAIN ANALYZE is none of them: it runs what it explains. */
const harmless = new Set<StatementType>([
  StatementType.SELECT,
  StatementType.EXPLAIN,
  StatementType.CREATE,
  StatementType.INSERT,
  StatementType.UPDATE,
  StatementType.DELETE,
  StatementType.MERGE_INTO,
  StatementType.ALTER,
  StatementType.SET,
]);

class RefusedStatement extends Error {}

export function refuseOutside(type: StatementType, text: string, isQuery: boolean): void {
  if (!harmless.has(type) && (isQuery || type !== StatementType.DROP))
    throw new RefusedStatement(`${StatementType[type]} statements are not allowed`);
  if (type === StatementType.EXPLAIN && /analy[sz]e/i.test(text))
    throw new RefusedStatement("EXPLAIN ANALYZE is not allowed");
}

interface Operator {
  readonly name: string;
  readonly children: readonly Operator[];
}

const operatorsOf = ({ name, children }: Operator): string[] => [
  name.trim(),
  ...children.flatMap(operatorsOf),
];

/**
 * Functions that change the engine although its settings are locked, and those that run a text
 * which their plan does not show. A log or profile goes to standard output or a file, which can end
 * the process.
 */
const changesEngine = /^((en|dis)able_\w+|json_execute_serialized_sql)$/i;

const mayChangeEngine = /\b(enable_\w+|disable_\w+|json_execute_serialized_sql|query)\b/i;

/**
 * Judges by the plan, however the text spells a function. A view and a macro are judged by the
 * plans of those who read them. A pivot has no plan before it ran: neither it nor these may have
 * such a name.
 */
export async function refuseChanges(connection: DuckDBConnection, text: string): Promise<void> {
  const explain = `explain (format json) ${text}`;
  const operators: string[] = [];
  if ((await statementCount(connection, explain)) === 1) {
    const shown = await connection.runAndReadAll(explain);
    const plans = shown.getRows().flatMap(([, plan]) => JSON.parse(String(plan)) as Operator[]);
    operators.push(...plans.flatMap(operatorsOf));
  }
  const hasPlan = operators.some((name) => name !== "CREATE_VIEW" && name !== "CREATE_MACRO");
  const [name] = hasPlan
    ? operators.filter((one) => changesEngine.test(one))
    : (mayChangeEngine.exec(text)?.slice(1) ?? []);
  if (name !== undefined) throw new RefusedStatement(`${name.toLowerCase()}() is not allowed`);
}

/** There is no way back. */
export async function confine(
  connection: DuckDBConnection,
  files: readonly string[],
): Promise<void> {
  await connection.run(`
    set autoinstall_known_extensions = false;
    set autoload_known_extensions = false;
    ${allowOnly(files)};
    set enable_external_access = false;
    set lock_configuration = true`);
}

const isSystem = (cause: unknown) =>
  /^E[A-Z]+$/.test(codeOf(cause) ?? "") ||
  /Could not (write|fsync|truncate)|Cannot open file|No space left|RECOUNT_MEMORY_LIMIT/i.test(
    messageOf(cause),
  );

const oneLine = (message: string) =>
  message
    .replace(/\n+LINE \d+: [^]*$/, "")
    .replace(/\s*\n\s*/g, " ")
    .trim();

function placeIn(sql: string, message: string): string[] {
  const [, line = "", caret = ""] = /\n(LINE \d+: .*)\n( *\^)/.exec(message) ?? [];
  const quoted = line.replace(/^LINE \d+: /, "").replaceAll(/^\.\.\.|\.\.\.$/g, "");
  // A query within a statement is quoted with that statement.
  return caret !== "" && sql.includes(quoted.trim()) ? [line, caret] : [];
}

function missingTable(message: string): string | null {
  const [, table, nearest = ""] =
    /Table with name "?([^"\s]+)"? does not exist!(?:\s*Did you mean "([^"]+)")?/.exec(message) ??
    [];
  if (table === undefined) return null;
  const hint =
    nearest === "" || /^(pg|sqlite|duckdb)_|\./.test(nearest) ? "" : ` Did you mean ${nearest}?`;
  return `There is no table ${table}.${hint} \`show tables\` lists them.`;
}

const refusedByEngine = new RegExp(
  "^(?:[\\w ]+ Error: )?(.*?)(?: - file system operations are disabled|" +
    " - the configuration has been locked| is disabled through configuration)",
);

function statementRefusal(cause: unknown): string | null {
  const message = messageOf(cause);
  if (cause instanceof RefusedStatement) return message;
  const [, what] = refusedByEngine.exec(message) ?? [];
  return what ?? null;
}

export function queryError(sql: string, cause: unknown): QueryError {
  const refused = statementRefusal(cause);
  return new QueryError(
    refused === null
      ? `The query failed: ${missingTable(messageOf(cause)) ?? oneLine(messageOf(cause))}`
      : `The query was refused: ${refused}. Queries only read the lake. Write their rows with ` +
          "--output, or pass --unsafe.",
    {
      sql,
      exitCode: isSystem(cause) ? exitCodes.export : exitCodes.usage,
      details: refused === null ? placeIn(sql, messageOf(cause)) : [],
    },
    { cause },
  );
}
