/**
 * Guesses a mapping for a file that has one rating or one comparison a record, or scores in columns
 * of one pattern. Any other is refused.
 */
import { extname } from "node:path";
import { stringify } from "yaml";
import { isSummary } from "../contract/index.js";
import { createElementsOf, type RowWriter } from "../extract/index.js";
import {
  counted,
  fs,
  groupsOf,
  isMap,
  jsonIn,
  messageOf,
  remembered,
  temporaryFile,
  textOrJson,
  thousands,
  UsageError,
} from "../platform/index.js";
import { openWarehouse, textOf, type Warehouse } from "../warehouse/index.js";
import { filesNamed, screen, stemOf, type SourceFile } from "./files.js";
import { columnsLeft, firstNames } from "./lacking.js";
import { firstMisfit, namesAlike, readLists, takenRows, type ReadList } from "./lists.js";
import { parseMapping, presetNames, type FileSet } from "./mapping.js";
import { fileTableOf } from "./tables.js";

type ElementReader = Pick<RowWriter, "warehouse" | "elementsOf">;

/** Last words of a column's name, by the key of a mapping that it may be; the usual ones first. */
const roles = {
  rater:
    "rater worker annotator judge listener subject participant assessor observer evaluator " +
    "respondent user voter email prolific who",
  item:
    "item stimulus system model condition codec method algorithm clip sample video image file " +
    "filename asset audio text instance",
  score: "score rating vote opinion mos grade stars quality value answer response",
  winner:
    "winner won preference preferred choice chosen selected better vote judgment label " +
    "answer result",
  notScores:
    "index order position page trial session count n level uid uuid guid hash task row line seed",
  /** Of published numbers. */
  result:
    "rank elo ci sd std stdev stderr se sem n votes count counts wins win losses lose lost ties " +
    "winrate percent pct metric measure lower upper low high",
} as const;
/** Numbers of such columns identify something, or are times or sizes. */
const identifierWords = ["id", "ids", "uid", "uuid", "guid", "pid", "key"];
const timeWords = (
  "time times runtime timestamp tstamp date duration elapsed latency age seconds ms rt created " +
  "updated at params parameters size year lastpage"
).split(" ");
/** Of further columns of an item, beside the one that names it. */
const partWords = "level type bitrate rate strength variant setting".split(" ");
const pairsOfWords = (text: string) => text.split(", ").map((pair) => pair.split(" "));
const sideWords = pairsOfWords("left right, a b, 1 2, 0 1, first second");
/** The first side won. */
const wonWords = pairsOfWords("chosen rejected, preferred rejected, winner loser, better worse");
const tieWords = /^(ties?|tied|draw|equal|both.*|same|neither|none|undecided|no preference.*)$/;
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
  /** By name or values. */
  readonly isIdentifier: boolean;
  /** By name or values. */
  readonly isTime: boolean;
  /** No two records have the same value. */
  readonly isDistinct: boolean;
}

type List = Readonly<Record<string, unknown>>;

interface GuessedList {
  readonly kind: "ratings" | "comparisons";
  readonly list: List;
  /** What is unsure. */
  readonly notes: readonly string[];
}

const inLowerCase = (text: string) => text.trim().toLowerCase();

const wordsInName = (name: string): string[] => {
  const parted = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll(/([A-Za-z])(\d)/g, "$1 $2");
  return parted.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
};

/** Seconds since 1970, in 2001: a larger whole number is an instant. */
const earliestEpoch = 1e9;
/** From this many records on it is no accident that no value comes twice. */
const manyRecords = 4;

const isNumber = (cell: string) => /^\s*[+-]?\d+([.,]\d+)?\s*$/.test(cell);

/** An ending after the word for whom or what it identifies. */
const ofIdentifier = /^(id|pid|name|uid|uuid|no|nr|number|code|address)$/;

function guessedColumn(name: string, cells: readonly string[]): FileColumn {
  const path = name.split(".").map(wordsInName);
  const last = path.at(-1) ?? [];
  // `user.id` is about a user.
  const words = ofIdentifier.test(last.join()) ? [...(path.at(-2) ?? []), ...last] : last;
  const hasSuffix = words.length > 1 && ofIdentifier.test(words.at(-1) ?? "");
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
    isIdentifier: words.some((word) => identifierWords.includes(word)),
    isTime:
      words.some((word) => timeWords.includes(word) || /(time|date|stamp)$/.test(word)) ||
      (given.length > 0 && given.every(isInstant)),
    isDistinct: given.length >= manyRecords && values.length === given.length,
  };
}

function columnsOfRole(columns: readonly FileColumn[], role: keyof typeof roles): FileColumn[] {
  const known = roles[role].split(" ");
  const isScoreWord = (word = "") => roles.score.split(" ").includes(word);
  // `Answer.rating2` is a rating; `Participant Public ID` and `chosenImage` say it by any word.
  const rank = ({ words }: FileColumn) => {
    const last = words.findLast((word) => !/^\d+$/.test(word));
    const isAny = role === "winner" || (role === "rater" && !isScoreWord(last));
    return known.indexOf((isAny ? words.find((word) => known.includes(word)) : last) ?? "");
  };
  // `vote_id` numbers the votes, and `listener1` is one of several.
  const isRecord = (one: FileColumn) =>
    (role === "winner" && one.isIdentifier && one.isDistinct) ||
    (role === "rater" && /^\d+$/.test(one.words.at(-1) ?? ""));
  const found = columns
    .filter((one) => rank(one) >= 0 && !isRecord(one))
    .toSorted((a, b) => rank(a) - rank(b));
  // An identifier that all records share tells no raters apart.
  const isShared = ({ values }: FileColumn) => role === "rater" && values.length < 2;
  return [...found.filter((one) => !isShared(one)), ...found.filter(isShared)];
}

const inQuotes = (text: string) => JSON.stringify(text);
const quotedColumns = (columns: readonly { readonly name: string }[]) =>
  firstNames(columns.map(({ name }) => name));

/** With a remark where the column is not sure. */
function likeliest(key: string, [first, ...others]: readonly FileColumn[], notes: string[]): List {
  if (first === undefined) notes.push(`${key}: no column has a name that says it.`);
  else if (others.length > 0)
    notes.push(`${key}: it may be ${quotedColumns(others)} instead of ${inQuotes(first.name)}.`);
  return first === undefined ? {} : { [key]: first.name };
}

interface ColumnPair {
  readonly left: FileColumn;
  readonly right: FileColumn;
  /** The words in which their names differ. */
  readonly names: readonly string[];
  readonly shared: number;
}

function pairsIn(columns: readonly FileColumn[], isWon: boolean): ColumnPair[] {
  const items = roles.item.split(" ");
  const found = columns
    .filter(({ isTime, values }) => !isTime && values.length > 0)
    .flatMap((left) =>
      (isWon ? wonWords : sideWords).flatMap((names) => {
        const [one, other = ""] = names;
        const twin = left.words.map((word) => (word === one ? other : word)).join(" ");
        const right = columns.find(({ words }) => words.join(" ") === twin) ?? left;
        const rest = { ...left, words: left.words.filter((word) => word !== one) };
        const isAnswer = [...columnsOfRole([rest], "score"), ...columnsOfRole([rest], "winner")];
        const shared =
          left.values.filter((value) => right.values.includes(value)).length / left.values.length;
        const isItem = left.words.some((word) => items.includes(word));
        const isPair = right !== left && (shared > 0 || isItem) && isAnswer.length === 0;
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
      `${quotedColumns([column, ...alike])} say who won: it has several comparisons a record, or ` +
      "marks, as winner: { columns: { left: a_won, right: b_won } } reads"
    );
  likeliest("winner", [column, ...others], notes);
  const given = [...column.cells.entries()].filter(([, cell]) => cell && !isTieWord(cell));
  const named = given.filter(([row, cell]) =>
    [left, right].some((one) => inLowerCase(one.cells[row] ?? "") === inLowerCase(cell)),
  );
  const ties = column.values.filter(isTieWord);
  if (named.length > 0 && named.length >= 0.5 * given.length)
    return { item: column.name, ...(ties.length > 0 && { values: { tie: ties } }) };
  // `A is much better` names one of both.
  const isOf = (value: string, i: 0 | 1) =>
    value === [left, right][i]?.name ||
    [names[i], sideWords[0]?.[i]].some((one) => wordsInName(value).includes(one ?? ""));
  const [onlyLeft, onlyRight] = ([0, 1] as const).map((i) =>
    column.values.filter(
      (value) => !isTieWord(value) && isOf(value, i) && !isOf(value, i === 0 ? 1 : 0),
    ),
  );
  const tie = ties.length === 0 ? {} : { tie: ties };
  return { column: column.name, values: { left: onlyLeft, right: onlyRight, ...tie } };
}

/** Undefined if no columns name two items, or none says who won. */
function guessedComparisons(columns: readonly FileColumn[]): GuessedList | string | undefined {
  const [won] = pairsIn(columns, true);
  const pairs = won === undefined ? pairsIn(columns, false) : [won];
  const [best, ...others] = pairs;
  if (best === undefined) return undefined;
  const isPart = ({ left, names }: ColumnPair) =>
    names === best.names &&
    left.words.some((word) => partWords.includes(word)) &&
    best.left.words.some((word) => partWords.includes(word));
  const parts = [best, ...others.filter(isPart)];
  const sides = [parts.map(({ left }) => left), parts.map(({ right }) => right)] as const;
  const rest = columns.filter((one) => !sides.flat().includes(one));
  const notes: string[] = [];
  const rater = likeliest("rater", columnsOfRole(rest, "rater"), notes);
  const winner = won === undefined ? guessedWinner(rest, best, notes) : { item: won.left.name };
  if (winner === undefined || typeof winner === "string") return winner;
  notes.push(
    "Add order: row below if the rows are in the order of the votes and a number depends on it.",
  );
  const list = { ...rater, left: namesOf(sides[0]), right: namesOf(sides[1]), winner };
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
    /^.*?[_ .[-](?=.)|^.*?(?=\d+$)/.exec(name)?.[0] ?? "";
  return [...groupsOf(numeric, beginningOf)]
    .filter(([begins, own]) => begins !== "" && own.length > 1)
    .map(([begins, own]) => {
      const fitting = columns.filter(({ name }) => name.startsWith(begins));
      const isPattern =
        fitting.length === own.length && !own.some(({ name }) => name.includes("."));
      return { own, begins, score: isPattern ? `${begins}*` : own.map(({ name }) => name) };
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
      !roles.notScores.split(" ").includes(words.at(-1) ?? ""),
  );

function guessedWide(
  numeric: readonly FileColumn[],
  columns: readonly FileColumn[],
): GuessedList | string {
  const [one, other] = patternsIn(numeric, columns);
  if (one === undefined)
    return `the names of ${quotedColumns(numeric)}, which have numbers, follow no pattern`;
  const { own, begins, score } = one;
  if (other !== undefined)
    return (
      "it has several patterns of columns, as " +
      [begins, other.begins].map((name) => inQuotes(`${name}*`)).join(" and ")
    );
  const rest = columns.filter((column) => !own.includes(column));
  const raters = columnsOfRole(rest, "rater");
  const items = columnsOfRole(rest, "item").filter((column) => column !== raters[0]);
  const isOfRaters = roles.rater.split(" ").includes(wordsInName(begins).join(" "));
  const isChoice = own[0]?.cells.every(
    (_, row) => own.filter(({ cells }) => cells[row]).length < 2,
  );
  if (isChoice) return `${quotedColumns(own)} have one cell a record, as marks of a choice have`;
  if (raters.length === 0 && !(isOfRaters && items.length > 0))
    return (
      `no column says who rated: ${quotedColumns(own)} may be raters, counts of answers or ` +
      "published numbers. If they are raters, state wide: { score: " +
      `${JSON.stringify(score)}, as: rater }`
    );
  const notes = [
    `wide: is each of ${quotedColumns(own)} an item, a rater or task, or a dimension (a ` +
      "question)? as: says it.",
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
  const exact = named.filter(({ words }) => ["score", "rating"].includes(words.join(" ")));
  const [score, second] = exact.length > 0 ? exact : named.length > 0 ? named : numeric;
  if (score === undefined || (numeric.length === 1 && named.length === 0 && score.isDistinct))
    return "no column has scores, and none says who won";
  if (second !== undefined) return guessedWide(numeric, columns);
  const items = columnsOfRole(rest, "item").filter((one) => one !== score);
  const [item] = items;
  if (item === undefined) return "no column has a name that says what was rated";
  const notes: string[] = [];
  const list = {
    ...likeliest("rater", raters, notes),
    ...likeliest("item", items, notes),
    score: score.name,
  };
  if (raters.length === 0) {
    const results = columnsOfRole(rest, "result");
    const isOnce = item.values.length === item.cells.filter(Boolean).length;
    const why = isOnce
      ? `each ${inQuotes(item.name)} comes once`
      : `there is ${quotedColumns(results)}`;
    if (isOnce || results.length > 0)
      return `no column says who rated, and ${why}: these are published numbers, not ratings`;
    notes.push("A task that all items do may stand for the rater.");
  }
  notes.push(
    "score: state minimum and maximum of its scale. Words need numbers: values: { 5: " +
      "Excellent, 4: Good }.",
  );
  return { kind: "ratings", list, notes };
}

/** Without a preset; or why there is none. */
function listIn(columns: readonly FileColumn[], isText: boolean): GuessedList | string {
  if (columns.length === 0) return "its records are lists or single values, and name nothing";
  const places = columns.filter(({ name }) => /^(column \d+$|Unnamed: )/.test(name));
  if (places.length > 1)
    return `the header leaves ${quotedColumns(places)} without a name, as headers of groups do`;
  const numbers = columns.filter(({ name }) => name.trim() !== "" && Number.isFinite(Number(name)));
  if (isText && numbers.length > 1)
    return (
      `columns are called ${quotedColumns(numbers)}: the first row may be no header ` +
      "(header_rows: 0), or they count answers"
    );
  const guess = guessedComparisons(columns) ?? guessedRatings(columns);
  if (typeof guess !== "string") return guess;
  const nested = columns.filter(
    ({ values }) => values.length > 0 && values.every((one) => /^\[[^]*\{/.test(one)),
  );
  return nested.length === 0 ? guess : `there are lists in ${quotedColumns(nested)}`;
}

/** On all records of one file: how many an import would take, or which key is left to fill. */
function createTrials({ warehouse, elementsOf }: ElementReader, source: SourceFile) {
  const screened = remembered((options) => screen(source, JSON.parse(options) as FileSet));
  const elements = remembered<Promise<string>, "list" | "lines">((form) =>
    elementsOf(source.file, form),
  );
  const reader: ElementReader = { warehouse, elementsOf: (_, form) => elements(form) };
  return async (data: { readonly preset?: string; readonly [key: string]: unknown }) => {
    const text = stringify(data, { lineWidth: 0 });
    const none: string[] = [];
    const { preset } = data;
    const trial = { text, preset, taken: 0, share: 0, quarantined: 0, preview: none, left: none };
    try {
      const mapping = await parseMapping("mapping.yaml", text);
      const [[name, { delimiter, header_rows }]] = Object.entries(mapping.files) as [
        [string, FileSet],
      ];
      const files = new Map([[name, [await screened(JSON.stringify({ delimiter, header_rows }))]]]);
      const [list] = (await readLists(reader, mapping, files)) as [ReadList];
      const { taken, quarantined, records } = list;
      const [again] = await warehouse.all(
        `select count(*) as n from ${list.table} where starts_with(reason, 'key') and ` +
          "not is_skipped",
      );
      const lost = quarantined - Number(again?.n);
      const share = taken === 0 ? 0 : 1 - lost / records;
      const alike = (await namesAlike(warehouse, [list])).map((one) => ` ${one}`).join("");
      const says = `It reads ${thousands(taken)} of ${counted(records, "record")}.${alike}`;
      const why =
        quarantined === 0
          ? ""
          : ` ${quarantined} would be in quarantine. The first: ` +
            (await firstMisfit(warehouse, list));
      const preview = await previewOf(warehouse, list);
      const left = columnsLeft(
        list.files,
        list.lacking.map(({ name }) => name),
      );
      return { ...trial, taken, share, quarantined, preview, left, says: says + why };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { ...trial, says: messageOf(error).replace(/^\S*\.yaml(, line \d+)?: /, "") };
    }
  };
}

const shownRecords = 5;

async function previewOf(warehouse: Warehouse, list: ReadList): Promise<string[]> {
  const rows = await warehouse.all(
    `select rater, slate, dimension, item, score from (${takenRows(list, 0)}) order by n ` +
      `limit ${shownRecords}`,
  );
  const shown = (value: unknown): string => {
    const one = Array.isArray(value) && new Set(value).size === 1 ? (value[0] as unknown) : value;
    return typeof one === "string" || typeof one === "number" ? String(one) : JSON.stringify(one);
  };
  return rows.map((row) => {
    const known = Object.entries(row).filter(([, value]) =>
      [value].flat().some((one) => one !== null),
    );
    return known.map(([name, value]) => `${name} ${shown(value)}`).join(", ");
  });
}

/** The most frequent one of the first line. */
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

/** And of what is in the objects in them, and in lists of one. */
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

/** With the values of the first records, and their texts. A mapping is tried on all. */
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
    columns: [...new Map(fields)].map(([name, own]) => guessedColumn(name, own)),
    texts: rows.slice(0, shownRecords).map((row) => textOf(row, "raw")),
  };
}

/** A mapping in YAML, with comments on what is unsure; or why there is none. */
export interface GuessedMapping {
  readonly text: string;
  readonly refused?: string;
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
  const study = { id: stemOf(source).replaceAll(/[^A-Za-z0-9]/g, "") || "study" };
  const tried = createTrials(reader, source);
  const [wide] = patternsIn(scoreColumns(columns), columns);
  const trials = [];
  for (const preset of presetNames()) {
    const { files } = await parseMapping("mapping.yaml", stringify({ preset, study }));
    const [[from, { paths }]] = Object.entries(files) as [[string, FileSet]];
    const isOwn = extname(paths[0] ?? "") === extname(path);
    const asked = { preset, study, files: { [from]: file } };
    const trial = await tried(asked);
    if (!trial.says.includes("no column matches") || wide === undefined)
      trials.push({ ...trial, isOwn });
    else {
      const other = await tried({ ...asked, ratings: { from, wide: { score: wide.score } } });
      trials.push({ ...other, isOwn, says: `${other.says} The columns of wide are a guess.` });
    }
  }
  const guess = listIn(columns, texts.length > 0 && !source.format.startsWith("json"));
  const isRefused = typeof guess === "string";
  const list = isRefused ? {} : { [guess.kind]: { from: "data", ...guess.list } };
  const guessed = isRefused ? undefined : await tried({ study, files: { data: file }, ...list });
  const fitting = trials
    .filter(({ taken }) => taken > 0)
    .toSorted((a, b) => a.quarantined - b.quarantined || Number(b.isOwn) - Number(a.isOwn));
  // Among mappings that read equally many records, a preset comes first; repeated and skipped ones
  // are read.
  const own = guessed !== undefined && guessed.share >= 0.5 ? [guessed] : [];
  const [best] = [...fitting, ...own].toSorted((a, b) => b.share - a.share);
  if (best === undefined) {
    const why = isRefused ? `${guess}.` : (guessed?.says ?? "");
    const refused =
      `${path}: no mapping can be guessed: ${why} A guess reads a rating or a comparison a ` +
      "record, or scores in columns of one pattern.";
    const records =
      texts.length === 0 ? [] : ["The first records:", ...texts.map((one) => `  ${one}`)];
    return { text: commented([refused, ...records]), refused };
  }
  const remarks = [
    `A mapping to start from, guessed from the columns of ${inQuotes(path)}. Check each line.`,
    best.preset === undefined
      ? best.says
      : `The preset ${best.preset} fits its columns. ${best.says}`,
    ...fitting.flatMap((one) =>
      one === best ? [] : [`The preset ${one.preset ?? ""} fits its columns too. ${one.says}`],
    ),
    ...(best === guessed && !isRefused ? guess.notes : []),
    ...(best.left.length > 0
      ? [
          `Not used: ${firstNames(best.left)}. Is one the session, slate, ` +
            "dimension, time, training or job, or a key above?",
        ]
      : []),
    "The first records as they would be read:",
    ...best.preview.map((line) => `  ${line}`),
  ];
  return { text: commented(remarks) + best.text };
}

/** @throws UsageError if the file cannot be read. */
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
