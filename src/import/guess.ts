// Guesses a mapping for a file from the names and values of its columns.
import { extname } from "node:path";
import { stringify } from "yaml";
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
import { isSummary, usualMarks, wideColumns } from "./judge.js";
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
} as const;
/** Numbers of such columns identify something, or are times or sizes. */
const identifierWords = ["id", "ids", "uid", "uuid", "guid", "pid", "key"];
const timeWords = (
  "time times runtime timestamp tstamp date duration elapsed latency age seconds ms rt created " +
  "updated at params parameters size year lastpage"
).split(" ");
/** Of further columns of an item, beside the one that names it. */
const partWords = "level type bitrate rate strength variant setting".split(" ");
const sideWords = ["left right", "a b", "1 2", "0 1", "first second"].map((pair) =>
  pair.split(" "),
);
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

/** Such as `5 - Excellent` or `4 (Good)`. */
const startsAsNumber = (text: string) => /^\s*\d+\W/.test(text);

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
  const isPlace = path.length > 1 && /^\d+$/.test(last.join());
  const isBare = isPlace || ofIdentifier.test(last.join());
  // `user.id` is about a user.
  const words = isBare ? [...(path.at(-2) ?? []), ...last] : last;
  const hasSuffix = words.length > 1 && (isPlace || ofIdentifier.test(words.at(-1) ?? ""));
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

/** The likeliest first. */
function columnsOfRole(columns: readonly FileColumn[], role: keyof typeof roles): FileColumn[] {
  const known = roles[role].split(" ");
  // `Answer.rating2` is a rating; of a rater, as in `Participant Public ID`, any word may be.
  const rank = ({ words }: FileColumn) => {
    const last = words.findLastIndex((word) => !/^\d+$/.test(word));
    const isPerson = role === "rater" && !roles.score.split(" ").includes(words[last] ?? "");
    const own = isPerson ? words.find((word) => known.includes(word)) : words[last];
    return known.indexOf(own ?? "");
  };
  // `vote_id` numbers the votes.
  const isRecord = (one: FileColumn) => role === "winner" && one.isIdentifier && one.isDistinct;
  const found = columns
    .filter((one) => rank(one) >= 0 && !isRecord(one))
    .toSorted((a, b) => rank(a) - rank(b));
  // An identifier that all records share tells no raters apart.
  const isShared = ({ values }: FileColumn) => role === "rater" && values.length < 2;
  return [...found.filter((one) => !isShared(one)), ...found.filter(isShared)];
}

const firstQuoted = (texts: readonly string[]) =>
  texts
    .slice(0, 10)
    .map((one) => JSON.stringify(one))
    .join(", ") + (texts.length > 10 ? ` and ${texts.length - 10} more` : "");
const quotedColumns = (columns: readonly FileColumn[]) =>
  firstQuoted(columns.map(({ name }) => name));

/** With a remark where the column is not sure. */
function likeliest(key: string, [first, ...others]: readonly FileColumn[], notes: string[]): List {
  const standIn = key === "rater" ? " A task that all items do may stand for the rater." : "";
  if (first === undefined) notes.push(`${key}: no column has a name that says it.${standIn}`);
  else if (others.length > 0)
    notes.push(`${key}: it may be ${quotedColumns(others)} instead of ${quotedColumns([first])}.`);
  return first === undefined ? {} : { [key]: first.name };
}

/** Their names differ in a word such as left and right; those that share most come first. */
function pairsIn(columns: readonly FileColumn[]) {
  // Answers to questions 1 and 2 share values too, but nobody won.
  const hasWinner = [...columnsOfRole(columns, "winner"), ...markColumns(columns)].length > 0;
  const items = roles.item.split(" ");
  const found = columns
    .filter(({ isTime, values }) => !isTime && values.length > 0)
    .flatMap((left) =>
      sideWords.flatMap(([one = "", other = ""]) => {
        const name = left.words.map((word) => (word === one ? other : word)).join(" ");
        const right = columns.find(({ words }) => words.join(" ") === name) ?? left;
        const shared =
          left.values.filter((value) => right.values.includes(value)).length / left.values.length;
        const isItem = hasWinner && left.words.some((word) => items.includes(word));
        const isPair =
          right !== left &&
          (shared > 0 || isItem) &&
          markColumns([left]).length === 0 &&
          (hasWinner || (!/\d/.test(one) && !left.isNumeric && !left.values.every(startsAsNumber)));
        return isPair && columnsOfRole([left], "score").length === 0
          ? [{ left, right, names: [one, other], shared }]
          : [];
      }),
    );
  return found.toSorted((a, b) => b.shared - a.shared);
}

type ColumnPair = ReturnType<typeof pairsIn>[number];

const namesOf = (columns: readonly FileColumn[]): string | string[] => {
  const names = columns.map(({ name }) => name);
  return names.length === 1 ? (names[0] ?? "") : names;
};

const markTexts = Object.values(usualMarks).flat().map(String);

function markColumns(columns: readonly FileColumn[]): FileColumn[] {
  const known = roles.winner.split(" ");
  const isMarkText = (value: string) => markTexts.includes(value);
  const isMark = ({ values, name }: FileColumn) =>
    values.length > 0 &&
    values.every((value) => [inLowerCase(value), String(Number(value))].some(isMarkText)) &&
    (isTie(wordsInName(name)) || wordsInName(name).some((word) => known.includes(word)));
  return columns.filter(isMark);
}

/** A column of marks, of names of items, or of spellings. */
function guessedWinner(
  rest: readonly FileColumn[],
  { left, right, names }: ColumnPair,
  notes: string[],
): List {
  const marks = markColumns(rest);
  const sideOf = (i: 0 | 1) =>
    marks.find(({ words }) => words.includes(names[i] ?? "") && !isTie(words))?.name;
  const [onLeft, onRight] = [sideOf(0), sideOf(1)];
  if (onLeft !== undefined && onRight !== undefined) {
    const ties = marks.filter(({ words }) => isTie(words));
    const tie = ties.length === 0 ? {} : { tie: namesOf(ties) };
    return { winner: { columns: { left: onLeft, right: onRight, ...tie } } };
  }
  const isTieWord = (value: string) => isTie(wordsInName(value));
  const winners = columnsOfRole(rest, "winner");
  const named = [...winners, ...rest].find((column) => {
    const given = [...column.cells.entries()].filter(([, cell]) => cell && !isTieWord(cell));
    // A mark x is not the item X, where no name says that the column is about who won.
    const asText = winners.includes(column) ? inLowerCase : (text: string) => text;
    const sides = given.filter(([row, cell]) =>
      [left, right].some((one) => asText(one.cells[row] ?? "") === asText(cell)),
    );
    return !column.isTime && sides.length > 0 && sides.length >= 0.5 * given.length;
  });
  if (named !== undefined) {
    const ties = named.values.filter(isTieWord);
    return { winner: { item: named.name, ...(ties.length > 0 && { values: { tie: ties } }) } };
  }
  const { winner: column } = likeliest("winner", winners, notes);
  const values: Record<string, string[]> = {};
  for (const value of winners[0]?.values ?? []) {
    const words = wordsInName(value);
    // `A is much better` names one of both.
    const is = (i: 0 | 1) =>
      value === [left, right][i]?.name ||
      [names[i], sideWords[0]?.[i]].some((one) => words.includes(one ?? ""));
    const [onlyLeft, onlyRight] = [is(0) && !is(1), is(1) && !is(0)];
    const side = isTieWord(value) ? "tie" : onlyLeft ? "left" : onlyRight ? "right" : "unsure";
    values[side] = [...(values[side] ?? []), value];
  }
  const { unsure, ...sure } = values;
  if (unsure !== undefined)
    notes.push(`winner: ${firstQuoted(unsure)} are left out of its values. Who won by them?`);
  return column === undefined ? {} : { winner: { column, values: sure } };
}

function guessedComparisons(
  columns: readonly FileColumn[],
  pairs: readonly ColumnPair[],
  notes: string[],
): List {
  const [best, ...others] = pairs as [ColumnPair, ...ColumnPair[]];
  const isPart = ({ left, names }: ColumnPair) =>
    names.join(" ") === best.names.join(" ") &&
    left.words.some((word) => partWords.includes(word)) &&
    best.left.words.some((word) => partWords.includes(word));
  const parts = [best, ...others.filter(isPart)];
  const sides = [parts.map(({ left }) => left), parts.map(({ right }) => right)] as const;
  const rest = columns.filter((one) => !sides.flat().includes(one));
  const rater = likeliest("rater", columnsOfRole(rest, "rater"), notes);
  const winner = guessedWinner(rest, best, notes);
  notes.push(
    "Add order: row below if the rows are in the order of the votes and a number depends " +
      "on it.",
  );
  return { ...rater, left: namesOf(sides[0]), right: namesOf(sides[1]), ...winner };
}

/** Such as A>B, whose items no column says. */
function verdictsIn(columns: readonly FileColumn[], notes: string[]): List | undefined {
  const isVerdict = (value: string) =>
    /^\W*A\s*(>+|<+|=)\s*B\W*$|^\W*B\s*(>+|<+|=)\s*A\W*$/.test(value);
  const found = columns.find(({ values }) => values.length > 0 && values.every(isVerdict));
  if (found === undefined) return undefined;
  const sideOf = (value: string) =>
    value.includes("=") ? "tie" : /A\s*>|B\s*</.test(value) ? "left" : "right";
  const values = Object.fromEntries(groupsOf([...found.values], sideOf));
  const items = columnsOfRole(columns, "item").map(({ name }) => name);
  notes.push(
    "left and right: the items A and B, for example left: { value: baseline }, right: " +
      `${items[0] ?? "model"}.`,
  );
  const rater = likeliest("rater", columnsOfRole(columns, "rater"), notes);
  return { ...rater, winner: { column: found.name, values } };
}

/** The most whose names have one beginning, otherwise all; as a pattern or a list. */
function wideIn(numeric: readonly FileColumn[], columns: readonly FileColumn[]) {
  const beginningOf = ({ name }: FileColumn) =>
    /^.*?[_ .-](?=.)|^.*?(?=\d+$)/.exec(name)?.[0] ?? "";
  const groups = [...groupsOf(numeric, beginningOf)].filter(
    ([begins, own]) => begins !== "" && own.length > 1,
  );
  const [[begins, own] = ["", numeric]] = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const isPattern =
    begins !== "" &&
    !own.some(({ name }) => name.includes(".")) &&
    columns.filter(({ name }) => name.startsWith(begins)).length === own.length;
  return { own, score: isPattern ? `${begins}*` : own.map(({ name }) => name) };
}

const hasRowsOfOne = (columns: readonly FileColumn[]) =>
  [...columnsOfRole(columns, "item"), ...columnsOfRole(columns, "rater")].some(
    ({ isDistinct }) => isDistinct,
  );

const scoreColumns = (columns: readonly FileColumn[], table = columns) => {
  const isOther = ({ words, ...one }: FileColumn) =>
    one.isIdentifier ||
    one.isTime ||
    words.some((word) => isSummary(word) && word !== "mos") ||
    roles.notScores.split(" ").includes(words.at(-1) ?? "");
  const numeric = columns.filter((one) => one.isNumeric && !isOther(one));
  // A column MOS beside those of raters is their mean.
  const single = numeric.filter(({ words }) => words.join(" ") !== "mos");
  const all = single.length > 1 ? single : numeric;
  if (hasRowsOfOne(table) && all.length > 1) return all;
  const isNamed = (one: FileColumn) => columnsOfRole([one], "score").length > 0;
  const found = all.filter((one) => !one.isDistinct || isNamed(one));
  // One of several columns with numbers is not the score because the others differ in each row.
  const isLeft = found.length === 1 && all.length > 1 && !found.some(isNamed);
  return isLeft ? [] : found;
};

function guessedRatings(columns: readonly FileColumn[], notes: string[]): List {
  const raters = columnsOfRole(columns, "rater");
  const rest = columns.filter((one) => one !== raters[0]);
  const rater = likeliest("rater", raters, notes);
  const numeric = scoreColumns(rest, columns);
  const named = columnsOfRole(numeric, "score");
  const exact = named.filter(({ words }) => ["score", "rating"].includes(words.join(" ")));
  const scores = exact.length === 0 ? named : exact;
  // Of `file1` and `file2` neither is the item of the row.
  const stem = ({ name }: FileColumn) => name.replace(/\d+$/, "");
  const isOfSeveral = (one: FileColumn) =>
    /\d$/.test(one.name) && rest.some((other) => other !== one && stem(other) === stem(one));
  const known = columnsOfRole(rest, "item").filter(
    (one) => !scores.includes(one) && !isOfSeveral(one),
  );
  const unnamed = rest.filter(({ name, isNumeric }) => /^column \d+$/.test(name) && !isNumeric);
  const items = known.length > 0 ? known : unnamed.filter(({ values }) => values.length > 0);
  const several = (exact.length > 1 ? exact : numeric).filter((one) => one !== items[0]);
  if (scores.length !== 1 && several.length > 1) {
    const { own, score } = wideIn(several, columns);
    // Somebody rated: where no column says who, the columns may.
    const as = items.length === 0 ? "item" : raters.length === 0 ? "rater" : "dimension";
    notes.push(
      `wide: is each of ${quotedColumns(own)} an item, a rater or task, or a dimension (a ` +
        "question)? as: says it.",
    );
    if (as === "item") return { ...rater, wide: { score } };
    return { ...rater, ...likeliest("item", items, notes), wide: { score, as } };
  }
  const found = {
    ...likeliest("item", items, notes),
    ...likeliest("score", scores.length > 0 ? scores : numeric, notes),
  };
  notes.push(
    "score: state minimum and maximum of its scale. Words need numbers: values: { 5: " +
      "Excellent, 4: Good }.",
  );
  return { ...rater, ...found };
}

function summariesIn(columns: readonly FileColumn[], { item, rater }: List): List {
  const named = columns.filter(({ name }) => name === item || name === rater);
  const each = named.map(({ name, values }) => [name, values.filter(isSummary)] as const);
  const skip = Object.fromEntries(each.filter(([, values]) => values.length > 0));
  return Object.keys(skip).length === 0 ? {} : { skip };
}

/** A few records may have the key twice. */
const keyIn = (columns: readonly FileColumn[]): List => {
  const isKey = ({ values, cells, isIdentifier }: FileColumn) =>
    isIdentifier && cells.length > 1 && !cells.includes("") && values.length > 0.8 * cells.length;
  const found = columns.filter(isKey).toSorted((a, b) => b.values.length - a.values.length)[0];
  return found === undefined ? {} : { key: [found.name] };
};

/** Without a preset. */
function listIn(columns: readonly FileColumn[], notes: string[]): List {
  const pairs = pairsIn(columns);
  const verdicts = pairs.length > 0 ? undefined : verdictsIn(columns, notes);
  const list =
    verdicts ??
    (pairs.length === 0
      ? guessedRatings(columns, notes)
      : guessedComparisons(columns, pairs, notes));
  const numbers = columns.filter(({ name }) => Number.isFinite(Number(name)));
  const nested = columns.filter(
    ({ values }) => values.length > 0 && values.every((one) => /^[[{]/.test(one)),
  );
  if (numbers.length > 0)
    notes.push(
      `Columns are called ${quotedColumns(numbers)}: if the first row is no header, state ` +
        "header_rows: 0 for the file.",
    );
  if (nested.length > 0)
    notes.push(`If the rows are inside ${quotedColumns(nested)}, the file needs the key rows.`);
  const isCompared = verdicts !== undefined || pairs.length > 0;
  const own = { from: "data", ...keyIn(columns), ...summariesIn(columns, list), ...list };
  return { [isCompared ? "comparisons" : "ratings"]: own };
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
    const trial = {
      text,
      preset: data.preset,
      fits: false,
      taken: 0,
      share: 0,
      quarantined: 0,
      preview: none,
      left: none,
    };
    try {
      const mapping = await parseMapping("mapping.yaml", text);
      const [[name, { delimiter, header_rows }]] = Object.entries(mapping.files) as [
        [string, FileSet],
      ];
      const files = new Map([[name, [await screened(JSON.stringify({ delimiter, header_rows }))]]]);
      const read = await readLists(reader, mapping, files);
      const taken = Math.min(...read.map((list) => list.taken));
      const bad = read.find(({ quarantined }) => quarantined > 0);
      const repeated = Math.max(
        ...(await Promise.all(read.map((one) => repeatedIn(warehouse, one)))),
      );
      const preview = await previewOf(warehouse, read);
      const lost = Math.max(...read.map((one) => one.quarantined)) - repeated;
      const share = taken === 0 ? 0 : 1 - lost / Math.max(1, ...read.map((one) => one.records));
      const all = { taken, share, preview, left: columnsLeft(read) };
      const again =
        repeated === 0
          ? ""
          : ` ${counted(repeated, "record")} repeat${repeated === 1 ? "s" : ""} an earlier ` +
            "one and would not count.";
      const records = counted(read[0]?.records ?? 0, "record");
      const alike = (await namesAlike(warehouse, read)).map((one) => ` ${one}`).join("");
      const says = `It reads ${thousands(taken)} of ${records}.${again}${alike}`;
      const why =
        bad === undefined
          ? ""
          : ` ${bad.quarantined} would be in quarantine. The first: ` +
            (await firstMisfit(warehouse, bad));
      const quarantined = bad?.quarantined ?? 0;
      return { ...trial, ...all, fits: taken + quarantined > 0, quarantined, says: says + why };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return {
        ...trial,
        says: `To fill in: ${messageOf(error).replace(/^\S*\.yaml(, line \d+)?: /, "")}`,
      };
    }
  };
}

async function repeatedIn(warehouse: Warehouse, { table }: ReadList): Promise<number> {
  const [row] = await warehouse.all(
    `select count(*) as n from ${table} where starts_with(reason, 'key') and not is_skipped`,
  );
  return Number(row?.n);
}

function columnsLeft(read: readonly ReadList[]): string[] {
  const used = JSON.stringify(read.map(({ list }) => list));
  const isUsed = (name: string) =>
    used.includes(JSON.stringify(name)) || used.includes(`"${name}.`);
  const files = read.flatMap((one) => one.files);
  const wide = read.flatMap(({ list, files: own }) =>
    "wide" in list ? own.flatMap(({ columns }) => wideColumns(list, columns, "")) : [],
  );
  const taken = new Set(wide.flatMap(({ score, item }) => [score, item]));
  const all = files.flatMap(({ columns }) => columns);
  return [...new Set(all)].filter((name) => !isUsed(name) && !taken.has(name));
}

const shownRecords = 5;

/** A line each. */
async function previewOf(warehouse: Warehouse, read: readonly ReadList[]): Promise<string[]> {
  const [list] = read;
  if (list === undefined) return [];
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

/** The most frequent delimiter of the first line, and whether that is a header. */
async function formOf(source: SourceFile): Promise<Omit<FileSet, "paths">> {
  const { file, format } = source;
  if (format !== "csv") return {};
  let head = "";
  for await (const piece of fs.createReadStream(file, { encoding: "utf8", end: 1 << 16 }))
    head += piece as string;
  const [line = ""] = head.replaceAll(/"[^"]*"/g, "").split(/[\r\n]/);
  const count = (delimiter: string) => line.split(delimiter).length;
  const [best = ","] = [",", ";", "\t", "|"].toSorted((a, b) => count(b) - count(a));
  const names = line.split(best);
  // A number that comes twice is no name of a column.
  const isData = names.some((name, i) => /^[\d.]+$/.test(name) && names.indexOf(name) < i);
  return { ...(best !== "," && { delimiter: best }), ...(isData && { header_rows: 0 }) };
}

/** Below the first, rows without numbers in columns of numbers. */
function headerRowsIn(columns: readonly FileColumn[]): number {
  const numeric = columns.filter(({ cells }) => {
    const below = cells.slice(2).filter(Boolean);
    return below.length > 0 && below.every(isNumber);
  });
  const isHeader = (row: number) =>
    numeric.length > 1 &&
    numeric.every(({ cells }) => !isNumber(cells[row] ?? "0")) &&
    numeric.some(({ cells }) => !/^(-|n\/?an?|null|none)?$/i.test(cells[row]?.trim() ?? ""));
  return [0, 1].findIndex((row) => !isHeader(row)) + 1 || 3;
}

const hasComma = (columns: readonly FileColumn[]) => {
  const values = columns.filter(({ isNumeric }) => isNumeric).flatMap((one) => one.values);
  const odd = values.filter((one) => one.includes(","));
  // All with three digits after it: it may separate thousands.
  const isSign = odd.some((one) => !/^\s*[+-]?[1-9]\d{0,2},\d{3}\s*$/.test(one));
  return isSign && !values.some((one) => one.includes("."));
};

/** And of what is in the objects and lists of equal length in them. */
function fieldsIn(name: string, cells: readonly string[]): [name: string, cells: string[]][] {
  const parsed = cells.map((cell) => (/^\s*[[{]/.test(cell) ? jsonIn(cell) : undefined));
  const given = parsed.filter((_, row) => cells[row] !== "");
  const isCompound = (one: unknown) => isMap(one) || Array.isArray(one);
  const keys = new Set(given.flatMap((one) => (isCompound(one) ? Object.keys(one as List) : [])));
  const isTuple = (one: unknown) =>
    Array.isArray(one) && (keys.size < 2 || (one.length === keys.size && !one.some(isCompound)));
  if (given.length === 0 || !(given.every(isMap) || given.every(isTuple)))
    return [[name, [...cells]]];
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

/** The first list of several objects: its members may be the rows. */
const listsIn = (columns: readonly FileColumn[]): string | undefined =>
  columns.find(({ values, cells }) => {
    const lists = values.map((value) => (value.startsWith("[") ? jsonIn(value) : undefined));
    return (
      lists.length > 0 &&
      (lists.length > 1 || cells.filter(Boolean).length === 1) &&
      lists.every(
        (one) => Array.isArray(one) && one.every((each) => each === null || isMap(each)),
      ) &&
      lists.some((one) => (one as unknown[]).filter(isMap).length > 1)
    );
  })?.name;

/** With the values of the first records. A mapping is tried on all. */
async function columnsIn(
  { warehouse, elementsOf }: ElementReader,
  source: SourceFile,
  options: FileSet,
): Promise<FileColumn[]> {
  const { columns, column, from, isBare } = await fileTableOf(
    warehouse,
    await screen(source, options),
    options,
    elementsOf,
  );
  if (columns.length === 0) return [];
  const names = [...new Set([...columns, ...(options.rows ?? [])])];
  const cells = names.map((name, i) => `${column(name, source.path)} as c${i}`);
  const rows = await warehouse.all(
    `select ${cells.join(", ")} from ${from} where not ${isBare} limit 2000`,
  );
  const fields = names.flatMap((name, i) =>
    fieldsIn(
      name,
      rows.map((row) => textOf(row, `c${i}`)),
    ),
  );
  return [...new Map(fields)].map(([name, own]) => guessedColumn(name, own));
}

async function guessWith(reader: ElementReader, path: string): Promise<string> {
  const paths = [path];
  const text = /\.(txt|dat)$/i.test(path) ? { format: "csv" as const } : {};
  const named = { files: { data: { paths, ...text } }, folder: "", at: () => "--guess" };
  const [source] = (await filesNamed(named, "data")) as [SourceFile];
  const form = { ...text, ...(await formOf(source)) };
  const first = await columnsIn(reader, source, { paths, ...form });
  const isHeaded = source.format === "csv" && form.header_rows === undefined;
  const header_rows = isHeaded ? headerRowsIn(first) : 1;
  const stated = {
    ...form,
    ...(header_rows > 1 && { header_rows }),
    ...("delimiter" in form && hasComma(first) && { decimal: "," as const }),
  };
  const list = source.format.startsWith("json") ? listsIn(first) : undefined;
  const inside = list === undefined ? {} : { rows: [list] };
  const isRead = list === undefined && header_rows === 1;
  const columns = isRead ? first : await columnsIn(reader, source, { paths, ...stated, ...inside });
  const file = Object.keys(stated).length === 0 ? path : { path, ...stated };
  const own = list === undefined ? file : { path, ...stated, ...inside };
  const study = { id: stemOf(source).replaceAll(/[^A-Za-z0-9]/g, "") || "study" };
  const tried = createTrials(reader, source);
  const wide = wideIn(scoreColumns(columns), columns);
  const trials = [];
  for (const preset of presetNames()) {
    const { files } = await parseMapping("mapping.yaml", stringify({ preset, study }));
    const [[from, { paths }]] = Object.entries(files) as [[string, FileSet]];
    const isOwn = extname(paths[0] ?? "") === extname(path);
    const asked = { preset, study, files: { [from]: file } };
    const trial = await tried(asked);
    if (!trial.says.includes("no column matches") || wide.own.length < 2)
      trials.push({ ...trial, isOwn });
    else {
      const other = await tried({ ...asked, ratings: { from, wide: { score: wide.score } } });
      trials.push({ ...other, isOwn, says: `${other.says} The columns of wide are a guess.` });
    }
  }
  const notes: string[] = [];
  const guessed = await tried({ study, files: { data: own }, ...listIn(columns, notes) });
  const fitting = trials
    .filter(({ fits }) => fits)
    .toSorted((a, b) => a.quarantined - b.quarantined || Number(b.isOwn) - Number(a.isOwn));
  // Among mappings that read equally many records, a preset comes first; repeated and skipped ones
  // are read.
  const [best = guessed] = [...fitting, guessed].toSorted((a, b) => b.share - a.share);
  const remarks = [
    `A mapping to start from, guessed from the columns of ${JSON.stringify(path)}. Check ` +
      "each line.",
    best.preset === undefined
      ? best.says
      : `The preset ${best.preset} fits its columns. ${best.says}`,
    ...fitting.flatMap((one) =>
      one === best ? [] : [`The preset ${one.preset ?? ""} fits its columns too. ${one.says}`],
    ),
    ...(best === guessed ? notes : []),
    ...(best.left.length > 0
      ? [
          `Not used: ${firstQuoted(best.left)}. Is one the session, slate, dimension, time, ` +
            "training or job, or a key above?",
        ]
      : []),
    ...(best.preview.length > 0 ? ["The first records as they would be read:"] : []),
    ...best.preview.map((line) => `  ${line}`),
  ];
  return `${remarks.map((one) => `# ${one.replaceAll(/[\r\n]+/g, " ")}`).join("\n")}\n${best.text}`;
}

/** In YAML, with comments on what is unsure. @throws UsageError if the file cannot be read. */
export async function guessMapping(path: string): Promise<string> {
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
