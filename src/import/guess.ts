import { stringify } from "yaml";
import { createElementsOf, type RowWriter } from "../extract/index.js";
import {
  counted,
  fs,
  groupsOf,
  messageOf,
  remembered,
  temporaryFile,
  thousands,
  UsageError,
} from "../platform/index.js";
import { openWarehouse, textOf } from "../warehouse/index.js";
import { filesOf, screen, stemOf, type SourceFile } from "./files.js";
import { firstMisfit, readLists } from "./lists.js";
import { parseMapping, presetNames, type FileSet } from "./mapping.js";
import { tableOf } from "./tables.js";

type ElementReader = Pick<RowWriter, "warehouse" | "elementsOf">;

/** Words with which the name of a column ends, by the key of a mapping that it may be; the usual ones first. */
const roles = {
  rater:
    "rater worker annotator judge listener subject participant assessor observer evaluator respondent user voter who",
  item: "item stimulus system model condition codec method algorithm clip sample video image file filename asset",
  score: "score rating vote opinion mos grade quality value answer response",
  winner: "winner preference preferred choice chosen better vote judgment label answer result",
  notScores: "id index time timestamp duration date age order position page trial session seconds count n std ci",
} as const;
const sides = ["left right", "a b", "1 2", "0 1", "first second"].map((pair) => pair.split(" "));
const ties = ["tie", "tied", "draw", "equal", "both", "same", "neither"];

interface FileColumn {
  readonly name: string;
  /** The words of the name, without an ending such as `id`. */
  readonly words: readonly string[];
  readonly values: readonly string[];
  readonly isNumeric: boolean;
}

type List = Readonly<Record<string, unknown>>;

const wordsOf = (name: string): string[] => {
  const parted = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll(/([A-Za-z])(\d)/g, "$1 $2");
  return parted.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
};

function columnOf(name: string, cells: readonly string[]): FileColumn {
  const words = wordsOf(name);
  const isIdentifier = words.length > 1 && /^(id|name|uid|uuid|no|nr|code)$/.test(words.at(-1) ?? "");
  // The trial names what is no number among them, such as NA, and a decimal comma.
  const numbers = cells.filter((cell) => /^\s*[+-]?\d+([.,]\d+)?\s*$/.test(cell)).length;
  return {
    name,
    words: isIdentifier ? words.slice(0, -1) : words,
    values: [...new Set(cells)],
    isNumeric: cells.length > 0 && numbers >= cells.length / 2,
  };
}

/** The columns whose names say that they may be a key, the likeliest first. */
function named(columns: readonly FileColumn[], role: keyof typeof roles): FileColumn[] {
  const known = roles[role].split(" ");
  const rank = ({ words }: FileColumn) => known.indexOf(words.at(-1) ?? "");
  return columns.filter((one) => rank(one) >= 0).toSorted((a, b) => rank(a) - rank(b));
}

const quotedList = (texts: readonly string[]) =>
  texts
    .slice(0, 10)
    .map((one) => JSON.stringify(one))
    .join(", ") + (texts.length > 10 ? ` and ${texts.length - 10} more` : "");
const shown = (columns: readonly FileColumn[]) => quotedList(columns.map(({ name }) => name));

/** A key with the likeliest column, and a remark where that is not sure. */
function chosen(key: string, [first, ...others]: readonly FileColumn[], notes: string[]): List {
  if (first === undefined) notes.push(`${key}: no column has a name that says it.`);
  else if (others.length > 0) notes.push(`${key}: it may be ${shown(others)} instead of ${shown([first])}.`);
  return first === undefined ? {} : { [key]: first.name };
}

/** Columns with the same items whose names differ in a word such as left and right; those that share most come first. */
function pairsIn(columns: readonly FileColumn[]) {
  // Answers to questions 1 and 2 share values too, but nobody won.
  const hasWinner = named(columns, "winner").length > 0;
  const found = columns.flatMap((left) =>
    sides.flatMap(([one = "", other = ""]) => {
      const name = left.words.map((word) => (word === one ? other : word)).join(" ");
      const right = columns.find(({ words }) => words.join(" ") === name) ?? left;
      const shared = left.values.filter((value) => right.values.includes(value)).length / left.values.length;
      const isPair = right !== left && shared > 0 && (hasWinner || !/\d/.test(one));
      return isPair && named([left], "score").length === 0 ? [{ left, right, names: [one, other], shared }] : [];
    }),
  );
  return found.toSorted((a, b) => b.shared - a.shared);
}

type ColumnPair = ReturnType<typeof pairsIn>[number];

function guessedComparisons(columns: readonly FileColumn[], { left, right, names }: ColumnPair, notes: string[]): List {
  const rest = columns.filter((one) => one !== left && one !== right);
  const rater = chosen("rater", named(rest, "rater"), notes);
  const winners = named(rest, "winner");
  const { winner: column } = chosen("winner", winners, notes);
  const values: Record<string, string[]> = {};
  for (const value of winners[0]?.values ?? []) {
    const words = wordsOf(value);
    const is = (i: 0 | 1) => value === [left, right][i]?.name || [names[i], sides[0]?.[i]].includes(words.at(-1));
    const side = words.some((word) => ties.includes(word)) ? "tie" : is(0) ? "left" : is(1) ? "right" : "unsure";
    values[side] = [...(values[side] ?? []), value];
  }
  const { unsure, ...sure } = values;
  if (unsure !== undefined)
    notes.push(
      `winner: ${quotedList(unsure)} are left out of its values. If it is the item that won, the file needs a column with the side.`,
    );
  notes.push("order: row belongs below if the rows are in the order of the votes and a number depends on it.");
  const winner = column === undefined ? {} : { winner: { column, values: sure } };
  return { ...rater, left: left.name, right: right.name, ...winner };
}

/** Columns with scores of a row: the most whose names have one beginning, otherwise all; as a pattern or a list. */
function wideIn(numeric: readonly FileColumn[], columns: readonly FileColumn[]) {
  const beginningOf = ({ name }: FileColumn) => /^.*?[_ .-](?=.)|^.*?(?=\d+$)/.exec(name)?.[0] ?? "";
  const groups = [...groupsOf(numeric, beginningOf)].filter(([begins, own]) => begins !== "" && own.length > 1);
  const [[begins, own] = ["", numeric]] = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const isPattern = begins !== "" && columns.filter(({ name }) => name.startsWith(begins)).length === own.length;
  return { own, score: isPattern ? `${begins}*` : own.map(({ name }) => name) };
}

const scoresIn = (columns: readonly FileColumn[]) =>
  columns.filter((one) => one.isNumeric && named([one], "notScores").length === 0);

function guessedRatings(columns: readonly FileColumn[], notes: string[]): List {
  const raters = named(columns, "rater");
  const rest = columns.filter((one) => one !== raters[0]);
  const rater = chosen("rater", raters, notes);
  const numeric = scoresIn(rest);
  const scores = named(numeric, "score");
  const items = named(rest, "item").filter((one) => !scores.includes(one));
  const several = numeric.filter((one) => one !== items[0]);
  if (scores.length !== 1 && several.length > 1) {
    const { own, score } = wideIn(several, columns);
    notes.push(`wide: is each of ${shown(own)} ${items.length > 0 ? "a question" : "an item"}?`);
    if (items.length === 0) return { ...rater, wide: { score } };
    return { ...rater, ...chosen("item", items, notes), wide: { score, dimension: true } };
  }
  const found = { ...chosen("item", items, notes), ...chosen("score", scores.length > 0 ? scores : numeric, notes) };
  notes.push("score: state minimum and maximum of its scale. Words need numbers: values: { 5: Excellent, 4: Good }.");
  return { ...rater, ...found };
}

/** What a mapping without a preset would say. */
function listIn(columns: readonly FileColumn[], notes: string[]): List {
  const [pair] = pairsIn(columns);
  const list = pair === undefined ? guessedRatings(columns, notes) : guessedComparisons(columns, pair, notes);
  const used = JSON.stringify(Object.values(list));
  const unused = columns.filter(({ name }) => !used.includes(JSON.stringify(name)));
  const numbers = columns.filter(({ name }) => Number.isFinite(Number(name)));
  const nested = columns.filter(({ values }) => values.length > 0 && values.every((one) => /^[[{]/.test(one)));
  if (unused.length > 0)
    notes.push(
      `Not used: ${shown(unused)}. Is one the session, slate, dimension, time, training or job, or a key above?`,
    );
  if (numbers.length > 0) notes.push(`Columns are called ${shown(numbers)}: if the first row is no header, add one.`);
  if (nested.length > 0) notes.push(`If the rows are inside ${shown(nested)}, the file needs the key rows.`);
  return { [pair === undefined ? "ratings" : "comparisons"]: { from: "data", ...list } };
}

/** Tries mappings on all records of one file: how many an import would take, or which key is left to fill. */
function createTrials({ warehouse, elementsOf }: ElementReader, source: SourceFile) {
  const screened = remembered((options) => screen(source, JSON.parse(options) as FileSet));
  const elements = remembered<Promise<string>, "list" | "lines">((form) => elementsOf(source.file, form));
  const reader: ElementReader = { warehouse, elementsOf: (_, form) => elements(form) };
  return async (data: { readonly preset?: string; readonly [key: string]: unknown }) => {
    const text = stringify(data, { lineWidth: 0 });
    const trial = { text, preset: data.preset, fits: false, taken: 0, quarantined: 0 };
    try {
      const mapping = await parseMapping("mapping.yaml", text);
      const [[name, { delimiter, header_rows }]] = Object.entries(mapping.files) as [[string, FileSet]];
      const files = new Map([[name, [await screened(JSON.stringify({ delimiter, header_rows }))]]]);
      const read = await readLists(reader, mapping, files);
      const taken = Math.min(...read.map((list) => list.taken));
      const bad = read.find(({ quarantined }) => quarantined > 0);
      const says = `It reads ${thousands(taken)} of ${counted(read[0]?.records ?? 0, "record")}.`;
      if (bad === undefined) return { ...trial, fits: taken > 0, taken, says };
      const { quarantined } = bad;
      const why = `${quarantined} would be in quarantine. The first: ${await firstMisfit(warehouse, bad)}`;
      return { ...trial, fits: true, taken, quarantined, says: `${says} ${why}` };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { ...trial, says: `Left to fill: ${messageOf(error).replace(/^\S*\.yaml(, line \d+)?: /, "")}` };
    }
  };
}

/** The delimiter that is most frequent in the first line; undefined if it is a comma. */
async function delimiterIn({ file, format }: SourceFile): Promise<string | undefined> {
  if (format !== "csv") return undefined;
  let head = "";
  for await (const piece of fs.createReadStream(file, { encoding: "utf8", end: 1 << 16 })) head += piece as string;
  const [line = ""] = head.replaceAll(/"[^"]*"/g, "").split(/[\r\n]/);
  const count = (delimiter: string) => line.split(delimiter).length;
  const [best = ","] = [",", ";", "\t", "|"].toSorted((a, b) => count(b) - count(a));
  return best === "," ? undefined : best;
}

/** The columns, with the values of the first records. A mapping is tried on all. */
async function columnsIn(
  { warehouse, elementsOf }: ElementReader,
  source: SourceFile,
  options: FileSet,
): Promise<FileColumn[]> {
  const { columns, column, from } = await tableOf(warehouse, await screen(source, options), options, elementsOf);
  if (columns.length === 0) return [];
  const cells = columns.map((name, i) => `${column(name, source.path)} as c${i}`);
  const rows = await warehouse.all(`select ${cells.join(", ")} from ${from} limit 2000`);
  const cellsOf = (i: number) => rows.map((row) => textOf(row, `c${i}`)).filter((cell) => cell !== "");
  return columns.map((name, i) => columnOf(name, cellsOf(i)));
}

async function guessWith(reader: ElementReader, path: string): Promise<string> {
  const asked = { files: { data: { paths: [path] } }, folder: "", at: () => "--guess" };
  const [source] = (await filesOf(asked, "data")) as [SourceFile];
  const delimiter = await delimiterIn(source);
  const stated = delimiter === undefined ? {} : { delimiter };
  const columns = await columnsIn(reader, source, { paths: [path], ...stated });
  const file = delimiter === undefined ? path : { path, delimiter };
  const study = { id: stemOf(source).replaceAll(/[^A-Za-z0-9]/g, "") || "study" };
  const tried = createTrials(reader, source);
  const wide = wideIn(scoresIn(columns), columns);
  const trials = [];
  for (const preset of presetNames()) {
    const { files } = await parseMapping("mapping.yaml", stringify({ preset, study }));
    const [from = ""] = Object.keys(files);
    const own = { preset, study, files: { [from]: file } };
    const trial = await tried(own);
    if (!trial.says.includes("no column matches") || wide.own.length < 2) trials.push(trial);
    else {
      const other = await tried({ ...own, ratings: { from, wide: { score: wide.score } } });
      trials.push({ ...other, says: `${other.says} The columns of wide are a guess.` });
    }
  }
  const notes: string[] = [];
  const guessed = await tried({ study, files: { data: file }, ...listIn(columns, notes) });
  const fitting = trials.filter(({ fits }) => fits).toSorted((a, b) => a.quarantined - b.quarantined);
  // Among mappings that read equally many records, a preset comes first.
  const [best = guessed] = [...fitting, guessed].toSorted((a, b) => b.taken - a.taken);
  const remarks = [
    `A mapping to start from, guessed from the columns of ${JSON.stringify(path)}. Check each line.`,
    best.preset === undefined ? best.says : `The preset ${best.preset} fits its columns. ${best.says}`,
    ...fitting.flatMap((one) =>
      one === best ? [] : [`The preset ${one.preset ?? ""} fits its columns too. ${one.says}`],
    ),
    ...(best === guessed ? notes : []),
  ];
  return `${remarks.map((one) => `# ${one.replaceAll(/\s+/g, " ")}`).join("\n")}\n${best.text}`;
}

/** A YAML mapping to start from for a file, with comments on what is unsure. @throws UsageError if it cannot be read */
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
