/**
 * Guesses a mapping for a file that has one rating or one comparison a record, or scores in columns
 * of one pattern. Any other is refused.
 */
import { extname } from "node:path";
import { parse, stringify } from "yaml";
import { isKnownField } from "../audit/index.js";
import { isSummary } from "../contract/index.js";
import { createElementsOf, type RowWriter } from "../extract/index.js";
import {
  counted,
  fs,
  groupsOf,
  isMap,
  jsonIn,
  messageOf,
  packageFile,
  remembered,
  temporaryFile,
  textOrJson,
  thousands,
  RecountError,
} from "../platform/index.js";
import { openWarehouse, textOf } from "../warehouse/index.js";
import { filesNamed, screen, stemOf, type SourceFile } from "./files.js";
import { columnsLeft, firstNames } from "./lacking.js";
import { firstMisfit, readLists, type ReadList } from "./lists.js";
import { parseMapping, presetNames, type FileSet, type Mapping } from "./mapping.js";
import { withQueries } from "./queries.js";
import { fileTableOf } from "./tables.js";

type ElementReader = Pick<RowWriter, "warehouse" | "elementsOf">;

type ColumnRole = "rater" | "item" | "score" | "winner";
type Further = "dimension" | "weight" | "count";
const columnWords = parse(
  fs.readFileSync(packageFile("data/column-words.yaml"), "utf8"),
) as Readonly<Record<string, string>>;
/** Words in names of columns that may mean it, the usual ones first. */
const wordsFor = (meaning: string) => columnWords[meaning]?.split(" ") ?? [];
const isWordFor = (meaning: string, word = "") => wordsFor(meaning).includes(word);

const pairsOfWords = (meaning: string) => wordsFor(meaning).map((pair) => pair.split("/"));
const sideWords = pairsOfWords("sides");
/** The first side won. */
const wonWords = pairsOfWords("won");
const tieWords = RegExp(columnWords.tie ?? "");
const isTie = (words: readonly string[]) =>
  words.some((word) => tieWords.test(word)) || tieWords.test(words.join(" "));

interface FileColumn {
  readonly name: string;
  /** Without an ending such as `id`. */
  readonly words: readonly string[];
  readonly values: readonly string[];
  /** Of each record, empty where it has none. */
  readonly cells: readonly string[];
  readonly isNumeric: boolean;
  readonly isIdentifier: boolean;
  readonly isTime: boolean;
  /** No two records have the same value. */
  readonly isDistinct: boolean;
  readonly isPublished: boolean;
}

type List = Readonly<Record<string, unknown>>;

interface GuessedList {
  readonly kind: "ratings" | "comparisons";
  readonly list: List;
  readonly notes: readonly string[];
}

const inLowerCase = (text: string) => text.trim().toLowerCase();

const wordsInName = (name: string): string[] => {
  const parted = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll(/([A-Za-z])(\d)/g, "$1 $2");
  return parted.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
};

/** Seconds since 1970, in 2001: a larger whole number is an instant. */
const earliestEpoch = 1e9;
/** More are texts of prompts. */
const mostQuestions = 10;
/** From this many records on it is no accident that no value comes twice. */
const manyRecords = 4;

const isNumber = (cell: string) => /^\s*[+-]?\d+([.,]\d+)?\s*$/.test(cell);

async function guessedColumn(name: string, cells: readonly string[]): Promise<FileColumn> {
  const path = name.split(".").map(wordsInName);
  const last = path.at(-1) ?? [];
  const isEnding = (word?: string) => isWordFor("identifier_ending", word);
  const words = isEnding(last.join()) ? [...(path.at(-2) ?? []), ...last] : last;
  const hasSuffix = words.length > 1 && isEnding(words.at(-1));
  const given = cells.filter((cell) => cell !== "");
  const values = [...new Set(given)];
  // The trial names what is no number among them, such as NA, and a decimal comma.
  const numbers = given.filter(isNumber).length;
  const isInstant = (cell: string) =>
    /^\d{4}[-/]\d\d?[-/]\d\d?/.test(cell) ||
    (/^\d+(\.\d+)?$/.test(cell) && Number(cell) >= earliestEpoch);
  return {
    name,
    words: hasSuffix ? words.slice(0, -1) : words,
    values,
    cells,
    isNumeric: given.length > 0 && numbers >= given.length / 2,
    isIdentifier: words.some((word) => isWordFor("identifier", word)),
    isTime:
      words.some((word) => isWordFor("time", word) || /(time|date|stamp)$/.test(word)) ||
      (given.length > 0 && given.every(isInstant)),
    isDistinct: given.length >= manyRecords && values.length === given.length,
    isPublished: await isKnownField("", words.at(-1) ?? ""),
  };
}

function columnsOfRole(columns: readonly FileColumn[], role: ColumnRole): FileColumn[] {
  const known = wordsFor(role);
  // `Answer.rating2` is a rating; `Participant Public ID` and `chosenImage` say it by any word.
  const rank = ({ words }: FileColumn) => {
    const last = words.findLast((word) => !/^\d+$/.test(word));
    const isAny = role === "winner" || (role === "rater" && !isWordFor("score", last));
    return known.indexOf((isAny ? words.find((word) => known.includes(word)) : last) ?? "");
  };
  // `vote_id` numbers the votes, and `listener1` is one of several.
  const isRecord = (one: FileColumn) =>
    (role === "winner" && one.isIdentifier && one.isDistinct) ||
    (role === "rater" && /^\d+$/.test(one.words.at(-1) ?? ""));
  // An identifier that all records share tells no raters apart.
  const isShared = ({ values }: FileColumn) => Number(role === "rater" && values.length < 2);
  return columns
    .filter((one) => rank(one) >= 0 && !isRecord(one))
    .toSorted((a, b) => isShared(a) - isShared(b) || rank(a) - rank(b));
}

const inQuotes = (text: string) => JSON.stringify(text);
const quotedColumns = (columns: readonly { readonly name: string }[]) =>
  firstNames(columns.map(({ name }) => name));

function likeliest(key: string, [first, ...others]: readonly FileColumn[], notes: string[]): List {
  if (first === undefined) notes.push(`${key}: no column has a name that says it.`);
  else if (others.length > 0)
    notes.push(`${key}: it may be ${quotedColumns(others)} instead of ${inQuotes(first.name)}.`);
  return first === undefined ? {} : { [key]: first.name };
}

const further = (keys: readonly Further[], columns: readonly FileColumn[]): List =>
  Object.fromEntries(
    keys.flatMap((key) =>
      columns
        .filter(({ words }) => isWordFor(key, words.join(" ")))
        .filter(({ isNumeric, values }) =>
          key === "dimension" ? values.length <= mostQuestions : isNumeric,
        )
        .map(({ name }) => [key, name]),
    ),
  );

interface ColumnPair {
  readonly left: FileColumn;
  readonly right: FileColumn;
  /** The words in which their names differ. */
  readonly names: readonly string[];
  readonly shared: number;
}

function pairsIn(columns: readonly FileColumn[], isWon: boolean): ColumnPair[] {
  const found = columns
    .filter(({ isTime, values }) => !isTime && values.length > 0)
    .flatMap((left) =>
      (isWon ? wonWords : sideWords).flatMap((names) => {
        const [one, other = ""] = names;
        const twin = left.words.map((word) => (word === one ? other : word)).join(" ");
        const right = columns.find(({ words }) => words.join(" ") === twin) ?? left;
        const rest = [{ ...left, words: left.words.filter((word) => word !== one) }];
        const isAnswer = (["score", "winner"] as const).some(
          (role) => columnsOfRole(rest, role).length > 0,
        );
        const shared =
          left.values.filter((value) => right.values.includes(value)).length / left.values.length;
        const isItem =
          left.words.length === 1 || left.words.some((word) => isWordFor("item", word));
        const isPair = right !== left && (shared > 0 || isItem) && !isAnswer;
        return isPair ? [{ left, right, names, shared }] : [];
      }),
    );
  return found.toSorted((a, b) => b.shared - a.shared);
}

const namesOf = (columns: readonly FileColumn[]): string | string[] => {
  const names = columns.map(({ name }) => name);
  return names.length === 1 ? (names[0] ?? "") : names;
};

/** A column of names of items, or of spellings; or why there are several. */
function guessedWinner(
  rest: readonly FileColumn[],
  { left, right, names }: ColumnPair,
  notes: string[],
): List | string | undefined {
  const isTieWord = (value: string) => isTie(wordsInName(value));
  const [column, ...others] = columnsOfRole(rest, "winner");
  if (column === undefined) return undefined;
  const alike = others.filter(({ words }) => words.at(-1) === column.words.at(-1));
  if (alike.length > 0)
    return (
      `${quotedColumns([column, ...alike])} say who won: it has several comparisons or marks a ` +
      "record"
    );
  likeliest("winner", [column, ...others], notes);
  const given = [...column.cells.entries()].filter(([, cell]) => cell && !isTieWord(cell));
  const named = given.filter(([row, cell]) =>
    [left, right].some((one) => inLowerCase(one.cells[row] ?? "") === inLowerCase(cell)),
  );
  const ties = column.values.filter(isTieWord);
  if (named.length > 0 && named.length >= 0.5 * given.length)
    return { column: column.name, ...(ties.length > 0 && { values: { tie: ties } }) };
  // `A is much better` names one of both.
  const sides = [left, right];
  const isOf = (value: string, i: number) =>
    value === sides[i]?.name ||
    [names[i], sideWords[0]?.[i]].some((one) => wordsInName(value).includes(one ?? ""));
  const spelled = (i: number) =>
    column.values.filter((one) => !isTieWord(one) && isOf(one, i) && !isOf(one, 1 - i));
  const own = sides.map((_, i) => spelled(i));
  if (own.flat().length === 0)
    return (
      `${inQuotes(column.values[0] ?? "")} of ${inQuotes(column.name)} names neither an item nor ` +
      "a side: state values: { left: …, right: …, tie: … }"
    );
  const [lefts, rights] = own.map((some, i) => (some.length > 0 ? some : [names[i]]));
  const tie = ties.length === 0 ? {} : { tie: ties };
  return { column: column.name, values: { left: lefts, right: rights, ...tie } };
}

/** Undefined if no columns name two items, or none says who won. */
function guessedComparisons(columns: readonly FileColumn[]): GuessedList | string | undefined {
  const [won] = pairsIn(columns, true);
  const pairs = won === undefined ? pairsIn(columns, false) : [won];
  const [best, ...more] = pairs;
  if (best === undefined) return undefined;
  const isPart = ({ left, names }: ColumnPair) =>
    names === best.names &&
    [left, best.left].every(({ words }) => words.some((word) => isWordFor("part", word)));
  const parts = [best, ...more.filter(isPart)];
  const sides = [parts.map(({ left }) => left), parts.map(({ right }) => right)] as const;
  const rest = columns.filter((one) => !sides.flat().includes(one));
  const notes: string[] = [];
  const rater = likeliest("rater", columnsOfRole(rest, "rater"), notes);
  const winner = won === undefined ? guessedWinner(rest, best, notes) : { column: won.left.name };
  if (winner === undefined || typeof winner === "string") return winner;
  notes.push("Add order: row if a number depends on the order of the rows.");
  const others = rest.filter(({ name }) => name !== winner.column);
  const list = {
    ...rater,
    left: namesOf(sides[0]),
    right: namesOf(sides[1]),
    winner,
    ...further(["weight", "count"], others),
  };
  return { kind: "comparisons", list, notes };
}

interface WideGuess {
  readonly own: readonly FileColumn[];
  readonly begins: string;
  readonly score: string | readonly string[];
}

/** A group for each beginning that several names have. */
function patternsIn(numeric: readonly FileColumn[], columns: readonly FileColumn[]): WideGuess[] {
  const beginningOf = ({ name }: FileColumn) =>
    /^.*\[(?=.*\]$)|^.*?[_ .[-](?=.)|^.*?(?=\d+$)/.exec(name)?.[0] ?? "";
  return [...groupsOf(numeric, beginningOf)]
    .filter(([begins, own]) => begins !== "" && own.length > 1)
    .map(([begins, own]) => {
      const fitting = columns.filter(({ name }) => name.startsWith(begins));
      const isPattern =
        fitting.length === own.length && !own.some(({ name }) => name.includes("."));
      const ends = own.every(({ name }) => name.endsWith("]")) ? "]" : "";
      return { own, begins, score: isPattern ? `${begins}*${ends}` : own.map(({ name }) => name) };
    });
}

/** With numbers, and by their names neither identifiers, times nor sums. */
const scoreColumns = (columns: readonly FileColumn[]) =>
  columns.filter(
    ({ words, ...one }) =>
      one.isNumeric &&
      !one.isIdentifier &&
      !one.isTime &&
      !words.some((word) => isSummary(word) && word !== "mos") &&
      !isWordFor("not_score", words.at(-1)),
  );

function guessedWide(
  numeric: readonly FileColumn[],
  columns: readonly FileColumn[],
): GuessedList | string {
  const [one, other] = patternsIn(numeric, columns);
  if (one === undefined) {
    const isMatrix = columns.some(({ values }) =>
      numeric.every(({ name }) => values.includes(name)),
    );
    if (isMatrix) return "its rows and columns have the same names, as a matrix of wins has";
    return `the names of ${quotedColumns(numeric)}, which have numbers, follow no pattern`;
  }
  const { own, begins, score } = one;
  if (other !== undefined)
    return (
      "it has several patterns of columns, as " +
      [begins, other.begins].map((name) => inQuotes(`${name}*`)).join(" and ")
    );
  const rest = columns.filter((column) => !own.includes(column));
  const raters = columnsOfRole(rest, "rater");
  const items = columnsOfRole(rest, "item").filter((column) => column !== raters[0]);
  const isOfRaters = isWordFor("rater", wordsInName(begins).join(" "));
  const isChoice = own[0]?.cells.every(
    (_, row) => own.filter(({ cells }) => cells[row]).length < 2,
  );
  if (isChoice) return `${quotedColumns(own)} have one cell a record, as marks of a choice have`;
  if (raters.length === 0 && !(isOfRaters && items.length > 0))
    return (
      `no column says who rated: ${quotedColumns(own)} may be raters (wide: { score: ` +
      `${JSON.stringify(score)}, as: rater }), counts of answers or published numbers`
    );
  const notes = [
    `wide: is each of ${quotedColumns(own)} an item, a rater or a dimension? as: says it.`,
  ];
  const rater = raters.length === 0 ? {} : likeliest("rater", raters, notes);
  const item = items.length === 0 ? {} : likeliest("item", items, notes);
  const as = items.length === 0 ? "item" : raters.length === 0 ? "rater" : "dimension";
  return { kind: "ratings", list: { ...rater, ...item, wide: { score, as } }, notes };
}

function guessedRatings(columns: readonly FileColumn[]): GuessedList | string {
  const raters = columnsOfRole(columns, "rater");
  const rest = columns.filter((one) => one !== raters[0]);
  const numeric = scoreColumns(rest);
  const named = columnsOfRole(numeric, "score");
  const exact = named.filter(({ words }) => isWordFor("only_score", words.join(" ")));
  const [score, second] = exact.length > 0 ? exact : named.length > 0 ? named : numeric;
  if (score === undefined || (numeric.length === 1 && named.length === 0 && score.isDistinct)) {
    const [words] = columnsOfRole(rest, "score");
    const hint = words && ` (score.values says what words of ${inQuotes(words.name)} mean)`;
    return `no column has scores${hint ?? ""}, and none says who won`;
  }
  if (second !== undefined && exact.length === 0) return guessedWide(numeric, columns);
  const items = columnsOfRole(rest, "item").filter((one) => one !== score);
  const [item] = items;
  if (item === undefined) return "no column has a name that says what was rated";
  const notes: string[] = [];
  const list = {
    ...likeliest("rater", raters, notes),
    ...likeliest("item", items, notes),
    ...likeliest("score", [score, ...exact.slice(1)], notes),
    ...further(["dimension"], rest),
  };
  if (raters.length === 0) {
    const results = rest.filter((one) => one !== score && one.isPublished && one.isNumeric);
    const isOnce = item.values.length === item.cells.filter(Boolean).length;
    if (isOnce || results.length > 0)
      return (
        "no column says who rated, and " +
        (isOnce ? `each ${inQuotes(item.name)} comes once` : `there is ${quotedColumns(results)}`) +
        ": these are published numbers, not ratings"
      );
  }
  notes.push(
    "score: state minimum and maximum. Words need numbers: values: { 5: Excellent, 4: Good }.",
  );
  return { kind: "ratings", list, notes };
}

function listIn(columns: readonly FileColumn[], isText: boolean): GuessedList | string {
  if (columns.length === 0) return "its records are lists or single values, and name nothing";
  const odd = columns.filter(
    ({ name, values }) =>
      /^(column \d+$|Unnamed: )/.test(name) ||
      (isText && name.trim() !== "" && (Number.isFinite(Number(name)) || values.includes(name))),
  );
  if (odd.length > 1)
    return (
      `the first row names ${quotedColumns(odd)}: it may be a header of groups, no header ` +
      "(header_rows: 0), or answers that the columns count"
    );
  const guess = guessedComparisons(columns) ?? guessedRatings(columns);
  if (typeof guess !== "string") return guess;
  const nested = columns.filter(
    ({ values }) =>
      values.some((one) => /^\[[^]*\{/.test(one)) && values.every((one) => one.startsWith("[")),
  );
  return nested.length === 0 ? guess : `there are lists in ${quotedColumns(nested)}`;
}

/** On all records of one file: how many an import would take, or which key is left to fill. */
function createTrials({ warehouse, elementsOf }: ElementReader, source: SourceFile) {
  const screenedAs = remembered((options) => screen(source, JSON.parse(options) as FileSet));
  const elements = remembered<Promise<string>, "list" | "lines">((form) =>
    elementsOf(source.file, form),
  );
  const reader: ElementReader = { warehouse, elementsOf: (_, form) => elements(form) };
  const read = async (mapping: Mapping) => {
    const [[name, { delimiter, header_rows }]] = Object.entries(mapping.files) as [
      [string, FileSet],
    ];
    const files = new Map([[name, [await screenedAs(JSON.stringify({ delimiter, header_rows }))]]]);
    return withQueries(mapping, async (queries) => {
      const { screened } = await queries.run(files, reader.elementsOf);
      const [list] = (await readLists(reader, mapping, screened)) as [ReadList];
      const { taken, quarantined, records } = list;
      const first = quarantined === 0 ? "" : await firstMisfit(warehouse, list);
      return {
        taken,
        quarantined,
        share: taken === 0 ? 0 : 1 - quarantined / records,
        left: columnsLeft(
          list.files,
          list.lacking.map(({ name }) => name),
        ),
        says: [
          `It reads ${thousands(taken)} of ${counted(records, "record")}.`,
          ...(first ? [`${quarantined} would be in quarantine. The first: ${first}`] : []),
        ].join(" "),
      };
    });
  };
  return async (data: { readonly preset?: string; readonly [key: string]: unknown }) => {
    const text = stringify(data, { lineWidth: 0 });
    const mapping = parseMapping("mapping.yaml", text);
    const found = await mapping.then(read).catch((error: unknown) => {
      if (!(error instanceof RecountError)) throw error;
      const says = messageOf(error).replace(/^\S*\.yaml(, line \d+)?: /, "");
      return { taken: 0, quarantined: 0, share: 0, left: [], says };
    });
    return { text, preset: data.preset, ...found };
  };
}

async function delimiterIn({ file, format }: SourceFile): Promise<Omit<FileSet, "paths">> {
  if (format !== "csv") return {};
  let head = "";
  for await (const piece of fs.createReadStream(file, { encoding: "utf8", end: 1 << 16 }))
    head += piece as string;
  const [line = ""] = head.replaceAll(/"[^"]*"/g, "").split(/[\r\n]/);
  const count = (delimiter: string) => line.split(delimiter).length;
  const [best = ","] = [",", ";", "\t", "|"].toSorted((a, b) => count(b) - count(a));
  return best === "," ? {} : { delimiter: best };
}

function fieldsIn(name: string, cells: readonly string[]): [name: string, cells: string[]][] {
  const parsed = cells.map((cell) => (/^\s*[[{]/.test(cell) ? jsonIn(cell) : undefined));
  const given = parsed.filter((_, row) => cells[row] !== "");
  const isOne = (one: unknown) => Array.isArray(one) && one.length === 1;
  if (given.length === 0 || !(given.every(isMap) || given.every(isOne)))
    return [[name, [...cells]]];
  const keys = new Set(given.flatMap((one) => Object.keys(one as List)));
  const textOfOne = (value: unknown) => (value == null ? "" : textOrJson(value));
  return [...keys]
    .filter((key) => !key.includes("."))
    .flatMap((key) =>
      fieldsIn(
        `${name}.${key}`,
        parsed.map((one) => textOfOne((one as List | undefined)?.[key])),
      ),
    );
}

const shownCharacters = 200;
const shownRecords = 5;

async function readHead(
  { warehouse, elementsOf }: ElementReader,
  source: SourceFile,
  options: FileSet,
): Promise<{ columns: FileColumn[]; texts: string[] }> {
  const { columns, column, from, raw } = await fileTableOf(
    warehouse,
    await screen(source, options),
    options,
    elementsOf,
  );
  const cells = columns.map((name, i) => `${column(name, source.path)} as c${i}`);
  const rows = await warehouse.all(
    `select ${[...cells, `left(${raw}, ${shownCharacters}) as raw`].join(", ")} from ${from} ` +
      "limit 2000",
  );
  const fields = columns.flatMap((name, i) =>
    fieldsIn(
      name,
      rows.map((row) => textOf(row, `c${i}`)),
    ),
  );
  return {
    columns: await Promise.all([...new Map(fields)].map(([name, own]) => guessedColumn(name, own))),
    texts: rows.slice(0, shownRecords).map((row) => textOf(row, "raw")),
  };
}

/** A mapping in YAML, with comments on what is unsure; or why there is none. */
export interface GuessedMapping {
  readonly text: string;
  readonly refused?: string;
}

const isOfJson = (path: string) => /\.(jsonl?|ndjson)$/i.test(path);

function queryFor(study: object, file: unknown, isJson: boolean): string {
  const [item, score] = ["item", "score"].map((name) =>
    isJson ? `record ->> '$.…' as ${name}` : `"…" as ${name}`,
  );
  const sql =
    "-- needed: item and score, or left, right and winner; good to have: rater, line\n" +
    `select line, ${item ?? ""}, ${score ?? ""} from data order by line\n`;
  const ratings = { from: "rows", rater: "rater", item: "item", score: "score" };
  return stringify({ study, files: { data: file, rows: { sql } }, ratings }, { lineWidth: 0 });
}

const commented = (lines: readonly string[]) =>
  lines.map((one) => `# ${one.replaceAll(/[\r\n]+/g, " ")}\n`).join("");

async function guessWith(reader: ElementReader, path: string): Promise<GuessedMapping> {
  const paths = [path];
  const text = /\.(txt|dat)$/i.test(path) ? { format: "csv" as const } : {};
  const named = { files: { data: { paths, ...text } }, folder: "", at: () => "--guess" };
  const [source] = (await filesNamed(named, "data")) as [SourceFile];
  const form = { ...text, ...(await delimiterIn(source)) };
  const { columns, texts } = await readHead(reader, source, { paths, ...form });
  const file = Object.keys(form).length === 0 ? path : { path, ...form };
  const study = { id: stemOf(source).replaceAll(/^[^A-Za-z0-9]+|[^\w.-]/g, "") || "study" };
  const tried = createTrials(reader, source);
  const guess = listIn(columns, texts.length > 0 && !source.format.startsWith("json"));
  const isRefused = typeof guess === "string";
  const hasRater = !isRefused && "rater" in guess.list;
  const [wide, second] = patternsIn(scoreColumns(columns), columns);
  const fitting = [];
  for (const preset of presetNames()) {
    const { files, ratings, comparisons } = await parseMapping(
      "mapping.yaml",
      stringify({ preset, study }),
    );
    const [[from, { paths }], ...queries] = Object.entries(files) as [
      [string, FileSet],
      ...unknown[],
    ];
    // A query goes into records of JSON, or into columns.
    if (queries.length > 0 && isOfJson(paths[0] ?? "") !== isOfJson(`.${source.format}`)) continue;
    const asked = { preset, study, files: { [from]: file } };
    const own = { from, wide: { score: wide?.score } };
    const trial = await tried(asked);
    const isOther =
      trial.taken === 0 && ratings[0]?.wide !== undefined && wide !== undefined && !second;
    const other = isOther ? await tried({ ...asked, ratings: own }) : trial;
    const says = isOther ? `${other.says} The columns of wide are a guess.` : trial.says;
    const drops =
      hasRater && [...ratings, ...comparisons].every(({ rater, session }) => !rater && !session);
    const isOwn = extname(paths[0] ?? "") === extname(path);
    if (other.taken > 0) fitting.push({ ...other, says, drops, isOwn });
  }
  fitting.sort((a, b) => a.quarantined - b.quarantined || Number(b.isOwn) - Number(a.isOwn));
  const list = isRefused ? {} : { [guess.kind]: { from: "data", ...guess.list } };
  const guessed = isRefused
    ? undefined
    : { ...(await tried({ study, files: { data: file }, ...list })), drops: false };
  const own = guessed !== undefined && guessed.share >= 0.5 ? [guessed] : [];
  // Of those that read equally many records, a preset comes first unless it drops who rated.
  const [best] = [...fitting, ...own].toSorted(
    (a, b) => b.share - a.share || Number(a.drops) - Number(b.drops),
  );
  if (best === undefined) {
    const why = isRefused ? `${guess}.` : (guessed?.says ?? "");
    const refused =
      `${path}: no mapping can be guessed: ${why} A guess reads a rating or a comparison a ` +
      "record, or one pattern of columns. Others need a query.";
    const records =
      texts.length === 0 ? [] : ["The first records:", ...texts.map((one) => `  ${one}`)];
    const isJson = source.format.startsWith("json");
    return { text: commented([refused, ...records]) + queryFor(study, file, isJson), refused };
  }
  const others = fitting.filter((one) => one !== best);
  const fits = best.preset === undefined ? "" : `The preset ${best.preset} fits its columns. `;
  const unused = `Not used: ${firstNames(best.left)}. Is one the dimension, slate or time?`;
  const remarks = [
    `A mapping to start from, guessed from the columns of ${inQuotes(path)}. Check each line.`,
    fits + best.says,
    ...others.map(({ preset = "", says }) => `The preset ${preset} fits its columns too. ${says}`),
    ...(best === guessed && !isRefused ? guess.notes : []),
    ...(best.left.length > 0 ? [unused] : []),
  ];
  return { text: commented(remarks) + best.text };
}

export async function guessMapping(path: string): Promise<GuessedMapping> {
  return temporaryFile("recount-guess", async (scratch) => {
    const warehouse = await openWarehouse({ sources: {} });
    let files = 0;
    const elementsOf = await createElementsOf(() => `${scratch}${files++}`);
    try {
      return await guessWith({ warehouse, elementsOf }, path);
    } finally {
      warehouse.close();
    }
  });
}
