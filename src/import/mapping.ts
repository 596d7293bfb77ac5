// Reads a mapping: which files a study consists of, and what their columns are.
import { dirname, join } from "node:path";
import {
  fs,
  packageFile,
  readText,
  didYouMean,
  UsageError,
  type ValuePath,
  isMap,
} from "../platform/index.js";
import { fileSchema, parsedYaml, refuseFile, yamlSource, type YamlSource } from "../yaml/index.js";
import {
  areAlike,
  asList,
  mappingSchema,
  starRoles,
  type ComparisonList,
  type FileOptions,
  type MappingFile,
  type PublishedTable,
  type RatingList,
  type Scalar,
} from "./schema.js";

export interface FileSet extends FileOptions {
  readonly paths: readonly string[];
}

/** Complete, with its preset. */
export interface Mapping {
  readonly study: NonNullable<MappingFile["study"]>;
  readonly files: Readonly<Record<string, FileSet>>;
  readonly ratings: readonly RatingList[];
  readonly comparisons: readonly ComparisonList[];
  readonly roles: NonNullable<MappingFile["roles"]>;
  readonly published: readonly PublishedTable[];
  /** The paths start from it. */
  readonly folder: string;
  /** `mapping.yaml, line 7` for a value. */
  readonly at: (path: ValuePath) => string;
}

const validateMapping = fileSchema<MappingFile>(mappingSchema);

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

/** The path of a mapping keeps the options of the preset then. */
function withFileMaps(data: unknown): unknown {
  if (!isMap(data) || !isMap(data.files)) return data;
  const files = Object.entries(data.files).map(([name, one]) => [
    name,
    isMap(one) ? one : { path: one },
  ]);
  return { ...data, files: Object.fromEntries(files) as unknown };
}

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
  if (!validateMapping(whole)) return refuseFile(own, validateMapping.errors ?? []);
  const at = (path: ValuePath) => {
    // A list of one may be written without its dash.
    const paths = [path, path.filter((key) => typeof key === "string")];
    for (const holder of sources)
      for (const one of paths)
        if (holder.document.hasIn(one)) return `${holder.file}, line ${holder.lineOf(one)}`;
    return file;
  };
  const { study, files = {}, roles = {}, published = [] } = whole;
  if (study === undefined)
    throw new UsageError(
      `${file}: study is missing. Name the study, for example study: { id: listening1 }.`,
    );
  const mapping: Mapping = {
    study,
    files: Object.fromEntries(
      Object.entries(files).map(([name, one]) => {
        const { path, ...options } =
          typeof one === "string" || Array.isArray(one) ? { path: one } : one;
        return [name, { ...options, paths: asList(path) }];
      }),
    ),
    ratings: asList(whole.ratings),
    comparisons: asList(whole.comparisons),
    roles,
    published,
    folder: dirname(file),
    at,
  };
  checkMapping(mapping, file);
  return mapping;
}

type Spellings = Readonly<Record<string, Scalar | readonly Scalar[]>>;

/** @throws UsageError if a spelling has two meanings. */
function checkMeanings(values: Spellings, where: string): void {
  const known: { meaning: string; spelling: Scalar }[] = [];
  for (const [meaning, spellings] of Object.entries(values))
    for (const spelling of asList(spellings)) {
      const other = known.find(
        (one) => one.meaning !== meaning && areAlike(one.spelling, spelling),
      );
      if (other !== undefined)
        throw new UsageError(
          `${where} has ${JSON.stringify(spelling)} for ${other.meaning} and for ` +
            `${meaning}. Name it for one of them.`,
        );
      known.push({ meaning, spelling });
    }
}

/** @throws UsageError unless a wide list says once what each `*` is. */
function checkStars(list: RatingList, where: string, isOrdered: boolean): void {
  const roles = starRoles(list);
  const item = list.item ?? list.wide?.item;
  const own = { ...list, item, none: undefined };
  const twice = roles.find((role) => own[role] !== undefined);
  if (twice !== undefined)
    throw new UsageError(
      `${where}: ratings.wide names the ${twice} by *, and ratings.${twice} names it too. ` +
        "Name it once, or state as: what * is (item, slate, rater or dimension).",
    );
  if (item === undefined && !roles.includes("item"))
    throw new UsageError(
      `${where}: ratings.wide says that * is the ${roles.join(" and the ")}, and nothing ` +
        `names the item. Name its column, for example item: stimulus; item: "#" is the place ` +
        "of the row, from 0.",
    );
  for (const pattern of asList(list.wide?.score)) {
    const stars = Math.max(1, pattern.split("*").length - 1);
    if (stars !== roles.length && (roles.length > 0 || stars > 1))
      throw new UsageError(
        `${where}: ratings.wide.as must say what each * of ${pattern} is: ${stars} of item, ` +
          "slate, rater and dimension, for example as: [slate, item].",
      );
  }
  if (isOrdered && roles.some((role) => role === "rater" || role === "slate"))
    throw new UsageError(
      `${where}: ratings.wide.as cannot have ${roles.join(", ")} beside order: row, which ` +
        "makes all rows one session. Leave one of them out.",
    );
}

/** @throws UsageError unless a winner is said in one way, with the spellings that it needs. */
function checkWinner({ values = {}, ...ways }: ComparisonList["winner"], where: string): void {
  const [way, ...others] = Object.keys(ways);
  if (way === undefined || others.length > 0)
    throw new UsageError(
      `${where}: comparisons.winner needs ${way === undefined ? "" : "only one of "}column, ` +
        "columns or item, for example { column: winner, values: { left: a, right: b } }, { " +
        "columns: { left: a_won, right: b_won } } or { item: chosen }.",
    );
  const spelt = Object.keys(values);
  const missing = ["left", "right"].find((side) => !spelt.includes(side));
  if (way === "column" && missing !== undefined)
    throw new UsageError(
      `${where}: comparisons.winner.values needs ${missing}: the spellings of a win of the ` +
        `${missing} item, for example ${missing}: [A]. If the cells name the item that won, ` +
        `state winner: { item: ${ways.column ?? ""} }.`,
    );
  const extra = spelt.find((side) => way === "columns" || (way === "item" && side !== "tie"));
  if (extra !== undefined)
    throw new UsageError(
      `${where}: comparisons.winner.values cannot have ${extra} beside ${way}. ` +
        (way === "item"
          ? "It may have tie, for example { tie: [tie, draw] }."
          : "Spellings belong to a column, for example left: " +
            "{ column: a_won, values: { true: x } }."),
    );
}

/** What the schema does not say. @throws UsageError. */
function checkMapping({ files, ratings, comparisons, published, at }: Mapping, file: string): void {
  if (ratings.length + comparisons.length + published.length === 0)
    throw new UsageError(
      `${file}: ratings, comparisons or published numbers are missing: say which columns ` +
        "they are in.",
    );
  const known = Object.keys(files);
  const lists = { ratings, comparisons, published };
  for (const [list, entries] of Object.entries(lists))
    entries.forEach(({ from }, i) => {
      if (!known.includes(from))
        throw new UsageError(
          `${at([list, i, "from"])}: ${list}.from names ${JSON.stringify(from)}, which is ` +
            `not among files.${didYouMean(from, known)} There are ` +
            `${known.join(", ") || "none"}.`,
        );
    });
  ratings.forEach((list, i) => {
    const has = { item: list.item, score: list.score };
    for (const [key, value] of Object.entries(has))
      if (value === undefined && list.wide === undefined)
        throw new UsageError(
          `${at(["ratings", i])}: ratings.${key} is missing. Name its column, for example ` +
            `${key}: ${key}.`,
        );
  });
  const isOrdered = [...ratings, ...comparisons].some(({ order }) => order === "row");
  ratings.forEach((list, i) => {
    if (list.wide !== undefined) checkStars(list, at(["ratings", i, "wide"]), isOrdered);
  });
  for (const [list, entries] of Object.entries(lists))
    entries.forEach((entry, i) => {
      for (const [key, value] of Object.entries(entry))
        if (isMap(value) && isMap(value.values))
          checkMeanings(value.values as Spellings, `${at([list, i, key])}: ${list}.${key}.values`);
    });
  comparisons.forEach(({ winner }, i) => checkWinner(winner, at(["comparisons", i, "winner"])));
  const scores = "scores as keys, for example 5: [Excellent]";
  const weights = 'numbers above 0 as keys, for example 3: ["A>>B"]';
  for (const [list, key, entries, needs, least] of [
    ["ratings", "score", ratings.map(({ score }) => score), scores, -Infinity],
    ["comparisons", "weight", comparisons.map(({ weight }) => weight), weights, 0],
  ] as const)
    entries.forEach((one, i) => {
      const words = Object.keys(typeof one === "object" ? (one.values ?? {}) : {});
      const isOdd = (word: string) =>
        !word.trim() || !(Number(word) > least && Number(word) < Infinity);
      const odd = words.find(isOdd);
      if (odd !== undefined)
        throw new UsageError(
          `${at([list, i, key, "values"])}: ${list}.${key}.values must have ${needs}, not ` +
            `${JSON.stringify(odd)}.`,
        );
    });
  published.forEach(({ value, fields }, i) => {
    if (value === undefined && fields === undefined)
      throw new UsageError(
        `${at(["published", i])}: published needs value or fields: the columns with the numbers.`,
      );
  });
}

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
