/** The models of `sql/`: each file a SELECT with a header that says what it is. */
import { basename, join } from "node:path";
import { allKernels, kinds, type Kernel, type Kernels } from "../metrics/index.js";
import { UsageError, fs, fsp, packageFile, unlessMissing } from "../platform/index.js";

export const layers = [
  "staging",
  "intermediate",
  "metrics",
  "audit",
  "views",
  "statistics",
  "checks",
] as const;
type Layer = (typeof layers)[number];

/** Error: a number may be wrong. Warning: something is odd, but no number depends on it. */
export type Severity = "error" | "warning";

export interface Model {
  /** The file's name without `.sql`. */
  readonly name: string;
  readonly file: string;
  readonly layer: Layer;
  readonly sql: string;
  readonly stored: "view" | "table";
  /**
   * `-- stored: while shared`: a view, but a table until its last reader of a run, if three or more
   * models read it (two, if the lake has hundreds of files).
   */
  readonly isShared: boolean;
  /** `-- sorted by: columns` of its Parquet file, of a view too; default: all columns. */
  readonly sortedBy: string | null;
  /** `-- written: with all`: only this choice writes it. */
  readonly isExtra: boolean;
  /** `-- kernel: name`: the query is the kernel's input, the kernel's output the table. */
  readonly kernel: string | null;
  readonly computes: Kernel | null;
  /** `-- severity: error` or `warning` of a check. */
  readonly severity: Severity | null;
  /** `-- inputs: a, b`, sorted. */
  readonly reads: readonly string[];
  /** Tables of its kernel, by suffix, that nothing reads and that stay empty. */
  readonly unread?: readonly string[];
  /** `-- like: name`: columns and statement are those of `name`, over this model's input. */
  readonly like: string | null;
}

export const isInternal = (table: string): boolean => /^(int|key|fit|stg)_/.test(table);

const sqlDir = packageFile("sql");

/** The checks of a pack's models lie in the pack. */
const folders: readonly (readonly [folder: string, layer: Layer])[] = [
  ...layers.map((layer) => [layer, layer] as const),
  ["statistics/checks", "checks"],
];

export async function readModels(): Promise<Model[]> {
  const kernels = await allKernels();
  const models: Model[] = [];
  for (const [folder, layer] of folders) {
    const files = await unlessMissing(fsp.readdir(join(sqlDir, folder)), []);
    const names = files.filter((name) => name.endsWith(".sql")).sort();
    // In this thread: passing 90 small files to another one takes 40 ms, reading them 2.
    for (const name of names) {
      const text = fs.readFileSync(join(sqlDir, folder, name), "utf8");
      models.push({ ...parseModel(layer, name, text, kernels), file: `${folder}/${name}` });
    }
  }
  return models.map((model) => withStatement(model, models));
}

const continuedLine = /\n-- {5}(?=\S)/g;

export function parseModel(
  layer: Layer,
  fileName: string,
  text: string,
  kernels: Kernels = {},
): Model {
  const sql = forEachKind(text.replace(continuedLine, " "));
  const file = `${layer}/${fileName}`;
  const line = (key: string) =>
    new RegExp(`^-- ${key}: *(.+)$`, "m").exec(sql)?.[1]?.trim() ?? null;
  const required = (key: string): string => {
    const value = line(key);
    if (value === null)
      throw new UsageError(`sql/${file}: the header has no line "-- ${key}: …". Add it.`);
    return value;
  };
  required("grain");
  const kernel = line("kernel");
  return {
    name: basename(fileName, ".sql"),
    file,
    layer,
    sql,
    stored:
      (line("stored") ?? (layer === "staging" ? "view" : "table")) === "table" ? "table" : "view",
    isShared: line("stored") === "while shared",
    sortedBy: line("sorted by"),
    isExtra: line("written") === "with all",
    kernel,
    computes: kernels[kernel ?? ""] ?? null,
    severity: layer === "checks" ? severityOf(file, required("severity")) : null,
    reads: required("inputs").split(", ").sort(),
    like: line("like"),
  };
}

function severityOf(file: string, value: string): Severity {
  if (value === "error" || value === "warning") return value;
  throw new UsageError(
    `sql/${file}: severity ${value} is neither error nor warning. Write one of the two.`,
  );
}

function withStatement(model: Model, models: readonly Model[]): Model {
  const template = models.find(({ name }) => name === model.like);
  if (template === undefined) return model;
  const statement = template.sql.slice(template.sql.indexOf("-- columns:"));
  return {
    ...model,
    sql:
      model.sql + statement.replace(`\nfrom ${template.reads[0]}\n`, `\nfrom ${model.reads[0]}\n`),
  };
}

/**
 * A line with `{kind}` is repeated for each metric kind: in the header with commas between, in the
 * statement with `union all by name`.
 */
function forEachKind(text: string): string {
  return text.replace(
    /^(-- inputs: )?(.*\{kind\}.*)$/gm,
    (_line, header: string | undefined, each: string) => {
      const lines = kinds.map((kind) => each.replaceAll("{kind}", kind));
      return header === undefined
        ? lines.join("\n  union all by name\n")
        : header + lines.join(", ");
    },
  );
}

export interface DocumentedColumn {
  readonly name: string;
  readonly meaning: string;
  readonly unit: string;
  readonly nulls: string;
}

/**
 * By table. A block is `-- columns:`, or `-- columns <table>:` for another table of its kernel; a
 * line is `--   name: meaning (unit). null: what it means`.
 */
export function documentedTables({ name: model, sql }: Model): Map<string, DocumentedColumn[]> {
  const blocks = sql.matchAll(/^-- columns(?: (\w+))?:\n((?:-- {3}.*\n)*)/gm);
  return new Map(
    [...blocks].map(([, table = model, lines = ""]) => [
      table,
      lines.split("\n").filter(Boolean).map(documentedColumn),
    ]),
  );
}

function documentedColumn(line: string): DocumentedColumn {
  const [, name = "", meaning = "", unit = "", nulls = ""] =
    /^-- {3}(\w+): (.+?)(?: \(([^()]*)\))?(?:\. null: (.+))?$/.exec(line) ?? [];
  if (meaning === "")
    throw new Error(`${line} is not a column's "name: meaning (unit). null: what it means".`);
  return { name, meaning, unit, nulls };
}

export const headerLine = (sql: string, key: string): string =>
  new RegExp(`^-- ${key}: (.*)$`, "m").exec(sql)?.[1] ?? "";
