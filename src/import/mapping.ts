// Reads a mapping: which files a study consists of, and what their columns are.
import { dirname, join } from "node:path";
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
  type PublishedTable,
  type RatingList,
  type Scalar,
} from "./schema.js";

export interface FileSet extends FileOptions {
  readonly paths: readonly string[];
}

export interface Mapping {
  readonly study: NonNullable<MappingFile["study"]>;
  readonly files: Readonly<Record<string, FileSet>>;
  readonly ratings: readonly RatingList[];
  readonly comparisons: readonly ComparisonList[];
  readonly roles: NonNullable<MappingFile["roles"]>;
  readonly published: readonly PublishedTable[];
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
  const {
    study,
    files = {},
    ratings,
    comparisons,
    roles = {},
    published = [],
  } = whole as MappingFile;
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
    ratings: asList(ratings),
    comparisons: asList(comparisons),
    roles,
    published,
    folder: dirname(file),
    at,
  };
  const [problem] = problemsIn(mapping);
  if (problem !== undefined) throw new UsageError(`${at(problem.path)}: ${problem.says}`);
  return mapping;
}

const removed = Object.entries(
  yamlSource(
    "",
    fs.readFileSync(packageFile("data/removed-keys.yaml"), "utf8"),
  ).document.toJS() as Record<string, string>,
).map(([form, says]) => ({ form: new RegExp(form), says }));

/** @throws UsageError for what earlier versions had */
function refuseRemoved(own: YamlSource, value: unknown, path: ValuePath = []): void {
  const keys = path.filter((key) => typeof key === "string");
  const form = `${keys.join(".")}=${JSON.stringify(value)}`;
  const says = removed.find((one) => one.form.test(form))?.says;
  if (says !== undefined && typeof path.at(-1) === "string")
    throw new UsageError(
      `${own.file}, line ${own.lineOf(path)}: ${keys.join(".")}: no longer read: ${says}.`,
    );
  if (typeof value === "object" && value !== null)
    for (const [key, one] of Object.entries(value))
      refuseRemoved(own, one, [...path, Array.isArray(value) ? Number(key) : key]);
}

interface Problem {
  readonly path: ValuePath;
  readonly says: string;
}
type Problems = Generator<Problem, void>;

type Spellings = Readonly<Record<string, Scalar | readonly Scalar[]>>;

function* twofoldIn(values: Spellings, path: ValuePath): Problems {
  const known: { meaning: string; spelling: Scalar }[] = [];
  for (const [meaning, spellings] of Object.entries(values))
    for (const spelling of asList(spellings)) {
      const other = known.find(
        (one) => one.meaning !== meaning && areAlike(one.spelling, spelling),
      );
      known.push({ meaning, spelling });
      const where = path.filter((key) => typeof key === "string").join(".");
      const has = `${where}.values has ${JSON.stringify(spelling)} for`;
      if (other !== undefined)
        yield {
          path,
          says: `${has} ${other.meaning} and for ${meaning}. Name it for one of them.`,
        };
    }
}

/** Unless a wide list says once what `*` is. */
function* starIn(list: RatingList, path: ValuePath, isOrdered: boolean): Problems {
  const role = starRole(list);
  if (role !== "none" && list[role] !== undefined)
    yield {
      path,
      says:
        `ratings.wide names the ${role} by *, and ratings.${role} names it too. Name it once, or ` +
        "state as: what * is (item, rater, dimension or none).",
    };
  if (list.item === undefined && role !== "item")
    yield {
      path,
      says:
        `ratings.wide says that * is the ${role}, and nothing names the item. Name its column, ` +
        "for example item: stimulus; item: line is the number of the line.",
    };
  if (isOrdered && role === "rater")
    yield {
      path,
      says:
        "ratings.wide.as cannot be rater beside order: row, which makes all rows one session. " +
        "Leave one of them out.",
    };
}

function* problemsIn({ files, ratings, comparisons, published }: Mapping): Problems {
  const lists = { ratings, comparisons, published };
  const entries = Object.entries(lists).flatMap(([list, own]) =>
    own.map((entry, i) => ({ list, entry, path: [list, i] as ValuePath })),
  );
  if (entries.length === 0)
    yield {
      path: [],
      says: "ratings, comparisons or published numbers are missing: say which columns they are in.",
    };
  for (const [name, { sql, paths }] of Object.entries(files))
    if ((sql === undefined) === (paths.length === 0))
      yield {
        path: ["files", name],
        says:
          `files.${name} needs ${sql === undefined ? "" : "only one of "}path or sql, for ` +
          "example { path: votes.csv }.",
      };
  const known = Object.keys(files);
  for (const { list, entry, path } of entries)
    if (!known.includes(entry.from))
      yield {
        path: [...path, "from"],
        says:
          `${list}.from names ${JSON.stringify(entry.from)}, which is not among files.` +
          `${didYouMean(entry.from, known)} There are ${known.join(", ") || "none"}.`,
      };
  const isOrdered = [...ratings, ...comparisons].some(({ order }) => order === "row");
  for (const [i, list] of ratings.entries()) {
    const path = ["ratings", i];
    if (list.wide !== undefined) yield* starIn(list, [...path, "wide"], isOrdered);
    else
      for (const key of ["item", "score"] as const)
        if (list[key] === undefined)
          yield {
            path,
            says: `ratings.${key} is missing. Name its column, for example ${key}: ${key}.`,
          };
  }
  for (const { list, entry, path } of entries)
    for (const [key, value] of Object.entries(entry)) {
      if (!isMap(value) || !isMap(value.values)) continue;
      yield* twofoldIn(value.values as Spellings, [...path, key]);
      const needs = numericKeys[`${list}.${key}`];
      const odd = Object.keys(value.values).find(
        (word) => !word.trim() || !(Number(word) > (needs?.above ?? 0) && Number(word) < Infinity),
      );
      if (needs !== undefined && odd !== undefined)
        yield {
          path: [...path, key, "values"],
          says: `${list}.${key}.values must have ${needs.says}, not ${JSON.stringify(odd)}.`,
        };
    }
  for (const [i, { winner }] of comparisons.entries()) {
    const { column, values = {} } = winnerIn(winner);
    const sides = ["left", "right"].filter((side) => side in values);
    const missing = sides[0] === "left" ? "right" : "left";
    if (sides.length === 1)
      yield {
        path: ["comparisons", i, "winner"],
        says:
          `comparisons.winner.values needs ${missing}: the spellings of a win of the ${missing} ` +
          `item, for example ${missing}: [A]. If the cells name the item that won, state ` +
          `winner: ${column}.`,
      };
  }
  for (const [i, { value, fields }] of published.entries())
    if (value === undefined && fields === undefined)
      yield {
        path: ["published", i],
        says: "published needs value or fields: the columns with the numbers.",
      };
}

const numericKeys: Readonly<Record<string, { says: string; above: number }>> = {
  "ratings.score": { says: "scores as keys, for example 5: [Excellent]", above: -Infinity },
  "comparisons.weight": {
    says: 'numbers above 0 as keys, for example 3: ["A>>B"]',
    above: 0,
  },
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
