import { dirname, join } from "node:path";
import { fs, packageFile, readText, didYouMean, UsageError, type ValuePath } from "../platform/index.js";
import { fileSchema, parsed, refuseFile, yamlSource, type YamlSource } from "../yaml/index.js";
import {
  areAlike,
  listOf,
  mappingSchema,
  type ComparisonList,
  type FileOptions,
  type MappingFile,
  type PublishedTable,
  type RatingList,
  type Scalar,
} from "./schema.js";

/** Files of one name and how they are read. */
export interface FileSet extends FileOptions {
  readonly paths: readonly string[];
}

/** A mapping with its preset, complete: which files a study consists of, and what their columns are. */
export interface Mapping {
  readonly study: NonNullable<MappingFile["study"]>;
  readonly files: Readonly<Record<string, FileSet>>;
  readonly ratings: readonly RatingList[];
  readonly comparisons: readonly ComparisonList[];
  readonly roles: NonNullable<MappingFile["roles"]>;
  readonly published: readonly PublishedTable[];
  /** Folder that the paths start from. */
  readonly folder: string;
  /** `mapping.yaml, line 7` for a value. */
  readonly at: (path: ValuePath) => string;
}

const validate = fileSchema<MappingFile>(mappingSchema);

const presetFolder = () => packageFile("data/presets");

/** The names of the presets. */
export const presetNames = (): string[] =>
  fs
    .readdirSync(presetFolder())
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -".yaml".length))
    .toSorted();

function valid(source: YamlSource): MappingFile {
  const data: unknown = parsed(source.file, () => source.document.toJS() as unknown) ?? {};
  if (validate(data)) return data;
  return refuseFile(source, validate.errors ?? []);
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Values of `own` instead of those of `preset`; maps key by key. */
function merged(preset: unknown, own: unknown): unknown {
  if (!isMap(preset) || !isMap(own)) return own ?? preset;
  const keys = [...new Set([...Object.keys(preset), ...Object.keys(own)])];
  return Object.fromEntries(keys.map((key) => [key, key in own ? merged(preset[key], own[key]) : preset[key]]));
}

/** Each file as a map, so that the path of a mapping keeps the options of the preset. */
const withFileMaps = ({ files = {}, ...rest }: MappingFile) => ({
  ...rest,
  files: Object.fromEntries(Object.entries(files).map(([name, one]) => [name, isMap(one) ? one : { path: one }])),
});

/**
 * The mapping in a text. @param file names it in messages, and its folder is where its paths start
 * @throws UsageError with file, line and key
 */
export async function parseMapping(file: string, text: string): Promise<Mapping> {
  const own = yamlSource(file, text);
  const given = valid(own);
  const sources = [own];
  let whole = given;
  if (given.preset !== undefined) {
    const known = presetNames();
    if (!known.includes(given.preset))
      throw new UsageError(
        `${file}, line ${own.lineOf(["preset"])}: there is no preset ${given.preset}.${didYouMean(given.preset, known)} There are ${known.join(", ")}.`,
      );
    const path = join(presetFolder(), `${given.preset}.yaml`);
    const preset = yamlSource(path, await readText(path));
    sources.push(preset);
    whole = merged(withFileMaps(valid(preset)), withFileMaps(given)) as MappingFile;
  }
  const at = (path: ValuePath) => {
    // A list of one may be written without its dash.
    const paths = [path, path.filter((key) => typeof key === "string")];
    for (const holder of sources)
      for (const one of paths) if (holder.document.hasIn(one)) return `${holder.file}, line ${holder.lineOf(one)}`;
    return file;
  };
  const { study, files = {}, roles = {}, published = [] } = whole;
  if (study === undefined)
    throw new UsageError(`${file}: study is missing. Name the study, for example study: { id: listening1 }.`);
  const mapping: Mapping = {
    study,
    files: Object.fromEntries(
      Object.entries(files).map(([name, one]) => {
        const { path, ...options } = typeof one === "string" || Array.isArray(one) ? { path: one } : one;
        return [name, { ...options, paths: listOf(path) }];
      }),
    ),
    ratings: listOf(whole.ratings),
    comparisons: listOf(whole.comparisons),
    roles,
    published,
    folder: dirname(file),
    at,
  };
  checkMapping(mapping, file);
  return mapping;
}

type Spellings = Readonly<Record<string, Scalar | readonly Scalar[]>>;

/** @throws UsageError if a spelling has two meanings */
function checkMeanings(values: Spellings, where: string): void {
  const known: { meaning: string; spelling: Scalar }[] = [];
  for (const [meaning, spellings] of Object.entries(values))
    for (const spelling of listOf(spellings)) {
      const other = known.find((one) => one.meaning !== meaning && areAlike(one.spelling, spelling));
      if (other !== undefined)
        throw new UsageError(
          `${where} has ${JSON.stringify(spelling)} for ${other.meaning} and for ${meaning}. Name it for one of them.`,
        );
      known.push({ meaning, spelling });
    }
}

/** What the schema does not say. @throws UsageError */
function checkMapping({ files, ratings, comparisons, published, at }: Mapping, file: string): void {
  if (ratings.length + comparisons.length + published.length === 0)
    throw new UsageError(
      `${file}: ratings, comparisons or published numbers are missing: say which columns they are in.`,
    );
  const known = Object.keys(files);
  const lists = { ratings, comparisons, published };
  for (const [list, entries] of Object.entries(lists))
    entries.forEach(({ from }, i) => {
      if (!known.includes(from))
        throw new UsageError(
          `${at([list, i, "from"])}: ${list}.from names ${JSON.stringify(from)}, which is not among files.${didYouMean(from, known)} There are ${known.join(", ") || "none"}.`,
        );
    });
  ratings.forEach((list, i) => {
    const has = { item: list.item, score: list.score };
    for (const [key, value] of Object.entries(has))
      if (value === undefined && list.wide === undefined)
        throw new UsageError(
          `${at(["ratings", i])}: ratings.${key} is missing. Name its column, for example ${key}: ${key}.`,
        );
  });
  for (const [list, entries] of Object.entries(lists))
    entries.forEach((entry, i) => {
      for (const [key, value] of Object.entries(entry))
        if (isMap(value) && isMap(value.values))
          checkMeanings(value.values as Spellings, `${at([list, i, key])}: ${list}.${key}.values`);
    });
  ratings.forEach(({ score }, i) => {
    const scores = Object.keys(typeof score === "object" ? (score.values ?? {}) : {});
    const word = scores.find((one) => one.trim() === "" || !Number.isFinite(Number(one)));
    if (word !== undefined)
      throw new UsageError(
        `${at(["ratings", i, "score", "values"])}: ratings.score.values must have scores as keys, for example 5: [Excellent], not ${JSON.stringify(word)}.`,
      );
  });
  published.forEach(({ value, fields }, i) => {
    if (value === undefined && fields === undefined)
      throw new UsageError(`${at(["published", i])}: published needs value or fields: the columns with the numbers.`);
  });
}

/** Reads a mapping. @throws UsageError when it cannot be read or is not valid */
export async function readMapping(file: string): Promise<Mapping> {
  const text = await readText(file).catch((error: unknown) => {
    throw new UsageError(`${file}: the mapping cannot be read. Check the path.`, { cause: error });
  });
  return parseMapping(file, text);
}
