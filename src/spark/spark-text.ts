/** Statements, conventions and settings as Spark takes them. */
import { join } from "node:path";
import type { Conventions } from "../metrics/index.js";
import { fsp, packageFile, readText, UsageError } from "../platform/index.js";
import type { Model } from "../warehouse/index.js";

const sparkSqlFolder = packageFile("sql/spark");

/** The statements of models that have their own for Spark, by model. */
export async function readOwnTexts(): Promise<ReadonlyMap<string, string>> {
  const names = (await fsp.readdir(sparkSqlFolder)).filter((name) => name.endsWith(".sql"));
  const read = async (name: string) => readText(join(sparkSqlFolder, name));
  return new Map(
    await Promise.all(
      names.map(async (name) => [name.slice(0, -".sql".length), await read(name)] as const),
    ),
  );
}

export function sparkText(
  { name, sql }: Model,
  own: ReadonlyMap<string, string>,
  conventions: Conventions,
): string {
  const text = (own.get(name) ?? sql).replace(/^\s*--.*\n/gm, "");
  const spoken = words.reduce((sentence, [word, meaning]) => sentence.replace(word, meaning), text);
  return spoken.replace(/\bconventions\(\)((?:\.\w+)+)/g, (_, path: string) =>
    sparkLiteral(valueOf(conventions, path.slice(1).split("."))),
  );
}

const words: readonly (readonly [RegExp, string])[] = [
  [/\* exclude \(/g, "* except ("],
  [/\bas varchar\)/g, "as string)"],
  [/\bsign\(/g, "sign_of("],
  [/\bhash\(/g, "xxhash64("],
  [
    /\bweighted_sum\((\w+), (\w+)\)/g,
    "(coalesce(sum($1) filter (where $2 = 1), 0) + aggregate(array_sort(collect_list($1 * " +
      "$2) filter (where $2 <> 1)), 0D, (all, one) -> all + one))",
  ],
];

const valueOf = (conventions: Conventions, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (value as Readonly<Record<string, unknown>>)[key],
    conventions,
  );

export function sparkLiteral(value: unknown): string {
  if (value === null) return "cast(null as string)";
  if (typeof value === "number") return `cast('${value}' as double)`;
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string")
    return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  // Models only ask whether such a convention is null.
  return "true";
}

const functions: readonly string[] = [
  "json_extract_string(j string, p string) returns string return get_json_object(j, p)",
  "isfinite(x double) returns boolean return x is null or (not isnan(x) and abs(x) < " +
    "double('infinity'))",
  "sign_of(x double) returns double return case when isnan(x) then 0 else sign(x) end",
  `screening_key(rule string, r string, s string, i bigint, n string) returns string
    return case
      when rule = 'p808' then concat_ws('/', r, coalesce(s, ''), coalesce(cast(i as string), ''), n)
      else r
    end`,
  "last_rank() returns int return 2147483647",
  "epoch_ms(t timestamp) returns bigint return unix_millis(t)",
  "epoch_us(t timestamp) returns bigint return unix_micros(t)",
  `json_kind(v string) returns string return case
    when v = 'null' then 'NULL'
    when v in ('true', 'false') then 'BOOLEAN'
    when v like '"%' then 'VARCHAR'
    when v like '[%' then 'ARRAY'
    when v like '{%' then 'OBJECT'
    when v rlike '^-?[0-9]+$' and try_cast(v as decimal(38)) between 0 and 18446744073709551615
      then 'UBIGINT'
    when v rlike '^-[0-9]+$' and try_cast(v as bigint) is not null then 'BIGINT'
    when v is not null then 'DOUBLE'
  end`,
  "regexp_matches(s string, p string) returns boolean return regexp_like(s, p)",
];

export function preludeOf({ item_pattern }: Conventions): string[] {
  const pattern = sparkLiteral(item_pattern);
  const item = `item_of(s string) returns string
    return case when regexp_like(s, ${pattern}) then regexp_extract(s, ${pattern}, 1) else s end`;
  return [...functions, item].map((body) => `create or replace temporary function ${body}`);
}

/** @throws UsageError for an item pattern that Spark may read differently */
export const forSpark = ({ item_pattern: pattern, ...others }: Conventions): Conventions => ({
  ...others,
  item_pattern: pattern === null ? null : javaPattern(pattern),
});

export const sparkSettings: readonly string[] = [
  "spark.sql.session.timeZone=UTC",
  "spark.sql.ansi.enabled=true",
  "spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS",
  "spark.sql.sources.partitionColumnTypeInference.enabled=false",
  // The parts of a table may be in the folders of several snapshots, whose names are no partition.
  "spark.sql.files.ignoreInvalidPartitionPaths=true",
  // A text may have ${…}.
  "spark.sql.variable.substitute=false",
].map((setting) => `set ${setting}`);

/** Some 200 MB of memory after a shuffle. */
const ratingsATask = 500_000;
/** Where Spark begins by itself: small results it puts together again. */
const fewTasks = 200;
/** With more the driver needs gigabytes. */
const mostTasks = 10_000;

export function settingsFor(ratings: number): string[] {
  const tasks = Math.min(mostTasks, Math.ceil(ratings / ratingsATask));
  return [
    "spark.sql.adaptive.advisoryPartitionSizeInBytes=16m",
    "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold=16m",
    // What is divided by some of the keys of a join is not divided again by all of them.
    "spark.sql.requireAllClusterKeysForCoPartition=false",
    ...(tasks > fewTasks
      ? [`spark.sql.adaptive.coalescePartitions.initialPartitionNum=${tasks}`]
      : []),
  ].map((setting) => `set ${setting}`);
}

/** What means the same in RE2, which DuckDB uses, and how Java writes it. */
const outsideClass: readonly (readonly [RegExp, string | null])[] = [
  [/^\\[dDwWtnrf]/, null],
  [/^\\[^A-Za-z0-9\s]/, null],
  [/^\\s/, "[\\t\\n\\f\\r ]"],
  [/^\\S/, "[^\\t\\n\\f\\r ]"],
  [/^\(\?P?<(?=[A-Za-z][A-Za-z0-9]*>)/, "(?<"],
  [/^\(\?:|^\((?!\?)/, null],
  [/^[*+?]\??|^\{\d+(?:,\d*)?\}\??/, null],
  // Java's `$` also matches before a last newline.
  [/^\$/, "\\z"],
  [/^[^\\[{(*+?$]/, null],
];
const inside = /^\[\^?(?:\\[dwtnrf]|\\[^A-Za-z0-9\s]|(?!&&)[^\\[\]])+\]/;

/** @throws UsageError for what RE2 and Java read differently */
export function javaPattern(pattern: string): string {
  // Only a newline ends a line.
  let java = "(?d)";
  for (let rest = pattern; rest !== "";) {
    const found = [[inside, null] as const, ...outsideClass].find(([part]) => part.test(rest));
    const [token] = found?.[0].exec(rest) ?? [];
    if (found === undefined || token === undefined)
      throw new UsageError(
        `conventions.item_pattern: Spark may read ${rest.slice(0, 12)} of ${pattern} ` +
          "differently. " +
          "Write it with groups, classes such as [a-z] and repetitions only, or run without " +
          "--engine spark.",
      );
    java += found[1] ?? token;
    rest = rest.slice(token.length);
  }
  return java;
}
