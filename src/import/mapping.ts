// Reads a mapping: which files a study consists of, and what their columns are.
import { dirname, join } from "node:path";
import { parse } from "yaml";
import {
  fs,
  packageFile,
  readText,
  schemaErrors,
  didYouMean,
  UsageError,
  type ValuePath,
  isMap,
} from "../platform/index.js";
import { parsedYaml, refuseFile, yamlSource, type YamlSource } from "../yaml/index.js";
import {
  areAlike,
  asList,
  mappingSchema,
  starRole,
  winnerIn,
  type ComparisonList,
  type FileOptions,
  type MappingFile,
  type RatingList,
  type Scalar,
} from "./schema.js";

export interface FileSet extends FileOptions {
  readonly paths: readonly string[];
}

export interface Mapping extends Required<Pick<MappingFile, "study" | "roles" | "published">> {
  readonly files: Readonly<Record<string, FileSet>>;
  readonly ratings: readonly RatingList[];
  readonly comparisons: readonly ComparisonList[];
  readonly folder: string;
  /** `mapping.yaml, line 7` for a value. */
  readonly at: (path: ValuePath) => string;
}

const presetFolder = () => packageFile("data/presets");

export const presetNames = (): string[] =>
  fs
    .readdirSync(presetFolder())
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -".yaml".length))
    .toSorted();

const dataOf = ({ file, document }: YamlSource): unknown =>
  parsedYaml(file, () => document.toJS() as unknown) ?? {};

/** `own` over `preset`; maps key by key. */
function withPreset(preset: unknown, own: unknown): unknown {
  if (!isMap(preset) || !isMap(own)) return own ?? preset;
  const keys = [...new Set([...Object.keys(preset), ...Object.keys(own)])];
  return Object.fromEntries(
    keys.map((key) => [key, key in own ? withPreset(preset[key], own[key]) : preset[key]]),
  );
}

const mapped = <T, U>(map: Readonly<Record<string, T>>, change: (one: T) => U) =>
  Object.fromEntries(Object.entries(map).map(([name, one]) => [name, change(one)]));

/** The path of a mapping keeps the options of the preset then. */
const withFileMaps = (data: unknown): unknown =>
  isMap(data) && isMap(data.files)
    ? { ...data, files: mapped(data.files, (one) => (isMap(one) ? one : { path: one })) }
    : data;

/**
 * @param file names the mapping in messages; paths start from its folder @throws UsageError with
 * file, line and key.
 */
export async function parseMapping(file: string, text: string): Promise<Mapping> {
  const own = yamlSource(file, text);
  const sources = [own];
  let whole = dataOf(own);
  // A key of the preset may be the one that a map of the file lacks: the whole is checked.
  const name = isMap(whole) ? whole.preset : undefined;
  if (typeof name === "string" && name !== "") {
    const known = presetNames();
    if (!known.includes(name))
      throw new UsageError(
        `${file}, line ${own.lineOf(["preset"])}: there is no preset ` +
          `${name}.${didYouMean(name, known)} There are ${known.join(", ")}.`,
      );
    const path = join(presetFolder(), `${name}.yaml`);
    const preset = yamlSource(path, await readText(path));
    sources.push(preset);
    whole = withPreset(withFileMaps(dataOf(preset)), withFileMaps(whole));
  }
  refuseRemoved(own, whole);
  const errors = schemaErrors(mappingSchema, whole);
  if (errors.length > 0) refuseFile(own, errors);
  const at = (path: ValuePath) => {
    // A list of one may be written without its dash.
    const paths = [path, path.filter((key) => typeof key === "string")];
    for (const holder of sources)
      for (const one of paths)
        if (holder.document.hasIn(one)) return `${holder.file}, line ${holder.lineOf(one)}`;
    return file;
  };
  const { study, files = {}, roles = {}, published = [], ...lists } = whole as MappingFile;
  if (study === undefined)
    throw new UsageError(
      `${file}: study is missing. Name the study, for example study: { id: listening1 }.`,
    );
  const mapping: Mapping = {
    study,
    files: mapped(files, (one) => {
      const { path, ...options } =
        typeof one === "string" || Array.isArray(one) ? { path: one } : one;
      return { ...options, paths: asList(path) };
    }),
    ratings: asList(lists.ratings),
    comparisons: asList(lists.comparisons),
    roles,
    published,
    folder: dirname(file),
    at,
  };
  check(mapping, (path, says) => {
    throw new UsageError(`${at(path)}: ${says}`);
  });
  return mapping;
}

const removed = Object.entries(
  parse(fs.readFileSync(packageFile("data/removed-keys.yaml"), "utf8")) as Record<string, string>,
);

/** @throws UsageError for what earlier versions had */
function refuseRemoved(own: YamlSource, value: unknown, path: ValuePath = []): void {
  const keys = path.filter((key) => typeof key === "string");
  const form = `${keys.join(".")}=${JSON.stringify(value)}`;
  const [, says] = removed.find(([pattern]) => RegExp(pattern).test(form)) ?? [];
  if (says !== undefined && typeof path.at(-1) === "string")
    throw new UsageError(
      `${own.file}, line ${own.lineOf(path)}: ${keys.join(".")}: no longer read: ${says}.`,
    );
  if (typeof value === "object" && value !== null)
    for (const [key, one] of Object.entries(value))
      refuseRemoved(own, one, [...path, Array.isArray(value) ? Number(key) : key]);
}

type Refuse = (path: ValuePath, says: string) => void;

type Spellings = Readonly<Record<string, Scalar | readonly Scalar[]>>;

function checkTwofold(values: Spellings, path: ValuePath, refuse: Refuse): void {
  const where = path.filter((key) => typeof key === "string").join(".");
  const known: { meaning: string; spelling: Scalar }[] = [];
  for (const [meaning, spellings] of Object.entries(values))
    for (const spelling of asList(spellings)) {
      const other = known.find(
        (one) => one.meaning !== meaning && areAlike(one.spelling, spelling),
      );
      known.push({ meaning, spelling });
      if (other !== undefined)
        refuse(
          path,
          `${where}.values has ${JSON.stringify(spelling)} for ${other.meaning} and for ` +
            `${meaning}. Name it for one of them.`,
        );
    }
}

/** A wide list says once what `*` is. */
function checkStar(list: RatingList, path: ValuePath, isOrdered: boolean, refuse: Refuse): void {
  const role = starRole(list);
  if (role !== "none" && list[role] !== undefined)
    refuse(
      path,
      `ratings.wide names the ${role} by *, and ratings.${role} names it too. Name it once, or ` +
        "state as: what * is (item, rater, dimension or none).",
    );
  if (list.item === undefined && role !== "item")
    refuse(
      path,
      `ratings.wide says that * is the ${role}, and nothing names the item. Name its column, ` +
        "for example item: stimulus; item: line is the number of the line.",
    );
  if (isOrdered && role === "rater")
    refuse(
      path,
      "ratings.wide.as cannot be rater beside order: row, which makes all rows one session. " +
        "Leave one of them out.",
    );
}

/** @throws UsageError by `refuse` */
function check({ files, ratings, comparisons, published }: Mapping, refuse: Refuse): void {
  const entries = Object.entries({ ratings, comparisons, published }).flatMap(([list, own]) =>
    own.map((entry, i) => ({ list, entry, path: [list, i] })),
  );
  if (entries.length === 0)
    refuse(
      [],
      "ratings, comparisons or published numbers are missing: say which columns they are in.",
    );
  for (const [name, { sql, paths }] of Object.entries(files))
    if ((sql === undefined) === (paths.length === 0))
      refuse(
        ["files", name],
        `files.${name} needs ${sql === undefined ? "" : "only one of "}path or sql, for ` +
          "example { path: votes.csv }.",
      );
  const known = Object.keys(files);
  for (const { list, entry, path } of entries)
    if (!known.includes(entry.from))
      refuse(
        [...path, "from"],
        `${list}.from names ${JSON.stringify(entry.from)}, which is not among files.` +
          `${didYouMean(entry.from, known)} There are ${known.join(", ") || "none"}.`,
      );
  const isOrdered = [...ratings, ...comparisons].some(({ order }) => order === "row");
  for (const [i, list] of ratings.entries())
    if (list.wide !== undefined) checkStar(list, ["ratings", i, "wide"], isOrdered, refuse);
    else
      for (const key of ["item", "score"] as const)
        if (list[key] === undefined)
          refuse(
            ["ratings", i],
            `ratings.${key} is missing. Name its column, for example ${key}: ${key}.`,
          );
  for (const { list, entry, path } of entries)
    for (const [key, value] of Object.entries(entry)) {
      if (!isMap(value) || !isMap(value.values)) continue;
      checkTwofold(value.values as Spellings, [...path, key], refuse);
      const needs = numericKeys[`${list}.${key}`];
      const odd = Object.keys(value.values).find(
        (word) => !word.trim() || !(Number(word) > (needs?.above ?? 0) && Number(word) < Infinity),
      );
      if (needs !== undefined && odd !== undefined)
        refuse(
          [...path, key, "values"],
          `${list}.${key}.values must have ${needs.says}, not ${JSON.stringify(odd)}.`,
        );
    }
  for (const [i, { winner }] of comparisons.entries()) {
    const { column, values = {} } = winnerIn(winner);
    const [has, missing] = "left" in values ? ["left", "right"] : ["right", "left"];
    if (has in values && !(missing in values))
      refuse(
        ["comparisons", i, "winner"],
        `comparisons.winner.values needs ${missing}: the spellings of a win of the ${missing} ` +
          `item, for example ${missing}: [A]. If the cells name the item that won, state ` +
          `winner: ${column}.`,
      );
  }
  for (const [i, { value, fields }] of published.entries())
    if (value === undefined && fields === undefined)
      refuse(["published", i], "published needs value or fields: the columns with the numbers.");
}

const numericKeys: Readonly<Record<string, { says: string; above: number }>> = {
  "ratings.score": { says: "scores as keys, for example 5: [Excellent]", above: -Infinity },
  "comparisons.weight": { says: 'numbers above 0 as keys, for example 3: ["A>>B"]', above: 0 },
};

const isData = (file: string, text: string) =>
  /\.(csv|tsv|tab|jsonl|ndjson|parquet|xlsx?|ods)$/i.test(file) ||
  (/\.json$/i.test(file) && /^\s*\[/.test(text));

/** @throws UsageError when it cannot be read or is not valid. */
export async function readMapping(file: string): Promise<Mapping> {
  const text = await readText(file).catch((error: unknown) => {
    throw new UsageError(`${file}: the mapping cannot be read. Check the path.`, { cause: error });
  });
  if (isData(file, text))
    throw new UsageError(
      `${file} is a data file, not a mapping. recount import --guess ${file} > mapping.yaml ` +
        "writes one to start from.",
    );
  return parseMapping(file, text);
}
