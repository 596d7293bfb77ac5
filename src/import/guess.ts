/**
 * Guesses a mapping for a file that has one rating or one comparison a record, or scores in columns
 * of one pattern. Any other is refused.
 */
import { extname } from "node:path";
import { parse, stringify } from "yaml";
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
  UsageError,
} from "../platform/index.js";
import { openWarehouse, textOf } from "../warehouse/index.js";
import { filesNamed, screen, stemOf, type SourceFile } from "./files.js";
import { columnsLeft, firstNames } from "./lacking.js";
import { firstMisfit, readLists, type ReadList } from "./lists.js";
import { parseMapping, presetNames, type FileSet, type Mapping } from "./mapping.js";
import { withQueries } from "./queries.js";
import { fileTableOf } from "./tables.js";

type ElementReader = Pick<RowWriter, "warehouse" | "elementsOf">;

const columnWords = parse(
  fs.readFileSync(packageFile("data/column-words.yaml"), "utf8"),
) as Readonly<Record<string, string>>;
/** Words in names of columns that may mean it, the usual ones first. */
const wordsFor = (meaning: string) => columnWords[meaning]?.split(" ") ?? [];
const isWordFor = (meaning: string, word = "") => wordsFor(meaning).includes(word);

const wordsInName = (name: string): string[] => {
  const parted = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll(/([A-Za-z])(\d)/g, "$1 $2");
  return parted.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
};

const tieWords = RegExp(columnWords.tie ?? "");
const isTie = (value: string) => {
  const words = wordsInName(value);
  return [...words, words.join(" ")].some((word) => tieWords.test(word));
};

type List = Readonly<Record<string, unknown>>;

interface GuessedList {
  readonly kind: "ratings" | "comparisons";
  readonly list: List;
  readonly notes: readonly string[];
}

const decline = (says: string): never => {
  throw new UsageError(says);
};

/** Seconds since 1970, in 2001: a larger whole number is an instant. */
const earliestEpoch = 1e9;
/** More are texts of prompts. */
const mostQuestions = 10;
/** From this many records on it is no accident that no value comes twice. */
const manyRecords = 4;

type FileColumn = ReturnType<typeof guessedColumn>;

/** With a decimal point or comma. */
const isNumber = (cell: string) => /^\s*[+-]?\d+([.,]\d+)?\s*$/.test(cell);

/** @param cells of each record, empty where it has none */
function guessedColumn(name: string, cells: readonly string[]) {
  const path = name.split(".").map(wordsInName);
  const last = path.at(-1) ?? [];
  const isEnding = (word?: string) => isWordFor("identifier_ending", word);
  const words = isEnding(last.join()) ? [...(path.at(-2) ?? []), ...last] : last;
  const given = cells.filter(Boolean);
  const values = [...new Set(given)];
  const isInstant = (cell: string) =>
    /^\d{4}[-/]\d\d?[-/]\d\d?/.test(cell) ||
    (/^\d+(\.\d+)?$/.test(cell) && Number(cell) >= earliestEpoch);
  // The trial names what is no number among them, such as NA, and a decimal comma.
  const numbers = given.filter(isNumber);
  return {
    name,
    cells,
    values,
    words: words.length > 1 && isEnding(words.at(-1)) ? words.slice(0, -1) : words,
    isNumeric: given.length > 0 && numbers.length >= given.length / 2,
    isIdentifier: words.some((word) => isWordFor("identifier", word)),
    isTime:
      words.some((word) => isWordFor("time", word) || /(time|date|stamp)$/.test(word)) ||
      (given.length > 0 && given.every(isInstant)),
    isDistinct: given.length >= manyRecords && values.length === given.length,
  };
}

function columnsOfRole(
  columns: readonly FileColumn[],
  role: "rater" | "item" | "score" | "winner",
): FileColumn[] {
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

const further = (keys: readonly string[], columns: readonly FileColumn[]): List =>
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

/** Of two columns whose names differ in one of the pairs of words. */
function pairsIn(columns: readonly FileColumn[], meaning: "won" | "sides") {
  const pairs = wordsFor(meaning).map((pair) => pair.split("/"));
  return columns
    .filter(({ isTime, values }) => !isTime && values.some((one) => !/^(true|false)$/i.test(one)))
    .flatMap((left) =>
      pairs.flatMap((names) => {
        const twin = (name?: string) => {
          const own = left.words.map((word) => (word === names[0] ? name : word)).join(" ");
          return columns.find((one) => one !== left && one.words.join(" ") === own);
        };
        const right = left.words.includes(names[0] ?? "") ? twin(names[1]) : undefined;
        if (right === undefined) return [];
        const rest = [{ ...left, words: left.words.filter((word) => word !== names[0]) }];
        const isAnswer = (["score", "winner"] as const).some(
          (role) => columnsOfRole(rest, role).length > 0,
        );
        const shared =
          left.values.filter((value) => right.values.includes(value)).length / left.values.length;
        const isItem =
          left.words.length === 1 || left.words.some((word) => isWordFor("item", word));
        const third = names.length > 2 && twin(names[2]);
        const isPair = (shared > 0 || isItem) && !isAnswer;
        return isPair ? [{ left, right, third, names, shared, isItem }] : [];
      }),
    )
    .toSorted((a, b) => Number(b.isItem) - Number(a.isItem) || b.shared - a.shared);
}
type ColumnPair = ReturnType<typeof pairsIn>[number];

/** A column of names of items, or of spellings. */
function guessedWinner(
  rest: readonly FileColumn[],
  { left, right, names }: ColumnPair,
  notes: string[],
): List | undefined {
  const [column, ...others] = columnsOfRole(rest, "winner");
  if (column === undefined) return undefined;
  const alike = others.filter(({ words }) => words.at(-1) === column.words.at(-1));
  if (alike.length > 0)
    decline(
      `${quotedColumns([column, ...alike])} say who won: it has several comparisons or marks a ` +
        "record",
    );
  likeliest("winner", [column, ...others], notes);
  const tie = column.values.filter(isTie);
  const ties = tie.length === 0 ? {} : { tie };
  const sides = [left, right];
  const inOneCase = (text = "") => text.trim().toLowerCase();
  const given = [...column.cells.entries()].filter(([, cell]) => cell && !isTie(cell));
  const named = given.filter(([row, cell]) =>
    sides.some(({ cells }) => inOneCase(cells[row]) === inOneCase(cell)),
  );
  if (named.length > 0 && named.length >= 0.5 * given.length)
    return { column: column.name, ...(tie.length > 0 && { values: ties }) };
  // `A is much better` names one of both.
  const isOf = (value: string, i: number) =>
    value === sides[i]?.name ||
    [names[i], ["left", "right"][i]].some((one = "") =>
      isNumber(value) ? Number(value) === Number(one) : wordsInName(value).includes(one),
    );
  const spelled = sides.map((_, i) =>
    column.values.filter((one) => !isTie(one) && isOf(one, i) && !isOf(one, 1 - i)),
  );
  // Between 1 for the one side and 5 for the other, 2 is a scale.
  const odd = column.values.find((one) => isNumber(one) && !spelled.flat().includes(one));
  if (odd !== undefined || spelled.flat().length === 0)
    decline(
      `${inQuotes(odd ?? column.values[0] ?? "")} of ${inQuotes(column.name)} names neither an ` +
        "item nor a side: state values: { left: …, right: …, tie: … }",
    );
  const [lefts, rights] = spelled.map((some, i) => (some.length > 0 ? some : [names[i]]));
  return { column: column.name, values: { left: lefts, right: rights, ...ties } };
}

/** Undefined if no columns name two items, or none says who won. */
function guessedComparisons(columns: readonly FileColumn[]): GuessedList | undefined {
  const [won] = pairsIn(columns, "won");
  const best = won ?? pairsIn(columns, "sides")[0];
  if (best === undefined) return undefined;
  const { left, right, third } = best;
  const rest = columns.filter((one) => one !== left && one !== right);
  const notes: string[] = [];
  const rater = likeliest("rater", columnsOfRole(rest, "rater"), notes);
  const winner = won === undefined ? guessedWinner(rest, best, notes) : { column: left.name };
  const items = [left, right, ...(third ? [third] : [])];
  if (!left.isNumeric && (third || winner === undefined))
    decline(
      `${quotedColumns(items)} name ${third ? "more than " : ""}two items` +
        (third ? "" : ", and no column says who won"),
    );
  if (winner === undefined) return undefined;
  notes.push("Add order: row if a number depends on the order of the rows.");
  const others = rest.filter(({ name }) => name !== winner.column);
  const more = further(["weight", "count"], others);
  const list = { ...rater, left: left.name, right: right.name, winner, ...more };
  return { kind: "comparisons", list, notes };
}

/** A group for each beginning that several names have. */
function patternsIn(numeric: readonly FileColumn[], columns: readonly FileColumn[]) {
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

function guessedWide(numeric: readonly FileColumn[], columns: readonly FileColumn[]): GuessedList {
  const [one, other] = patternsIn(numeric, columns);
  if (one === undefined)
    return decline(
      `the names of ${quotedColumns(numeric)}, which have numbers, follow no pattern: they may ` +
        "be published numbers or a matrix of wins; of scores list those that are, as " +
        `wide: { score: [${numeric
          .slice(0, 2)
          .map(({ name }) => inQuotes(name))
          .join(", ")}] }`,
    );
  const { own, begins, score } = one;
  if (other !== undefined)
    decline(
      "it has several patterns of columns, as " +
        [begins, other.begins].map((name) => inQuotes(`${name}*`)).join(" and "),
    );
  if (own[0].cells.every((_, row) => own.filter(({ cells }) => cells[row]).length < 2))
    decline(`${quotedColumns(own)} have one cell a record, as marks of a choice have`);
  const rest = columns.filter((column) => !own.includes(column));
  const raters = columnsOfRole(rest, "rater");
  const items = columnsOfRole(rest, "item").filter((column) => column !== raters[0]);
  const isOfRaters = isWordFor("rater", wordsInName(begins).join(" ")) && items.length > 0;
  if (raters.length === 0 && !isOfRaters)
    decline(
      `no column says who rated: ${quotedColumns(own)} may be raters (wide: { score: ` +
        `${JSON.stringify(score)}, as: rater }), counts of answers or published numbers`,
    );
  const notes = [
    `wide: is each of ${quotedColumns(own)} an item, a rater or a dimension? as: says it.`,
  ];
  const rater = isOfRaters && raters.length === 0 ? {} : likeliest("rater", raters, notes);
  const item = items.length === 0 ? {} : likeliest("item", items, notes);
  const as = items.length === 0 ? "item" : raters.length === 0 ? "rater" : "dimension";
  return { kind: "ratings", list: { ...rater, ...item, wide: { score, as } }, notes };
}

function guessedRatings(columns: readonly FileColumn[]): GuessedList {
  const raters = columnsOfRole(columns, "rater");
  const rest = columns.filter((one) => one !== raters[0]);
  const numeric = scoreColumns(rest);
  const named = columnsOfRole(numeric, "score");
  const exact = named.filter(({ words }) => isWordFor("only_score", words.join(" ")));
  const [score, second] = [exact, named, numeric].find((some) => some.length > 0) ?? [];
  if (score === undefined || (numeric.length === 1 && named.length === 0 && score.isDistinct)) {
    const [words] = columnsOfRole(rest, "score");
    const hint = words && ` (score.values says what words of ${inQuotes(words.name)} mean)`;
    return decline(`no column has scores${hint ?? ""}, and none says who won`);
  }
  if (second !== undefined && exact.length === 0) return guessedWide(numeric, columns);
  const items = columnsOfRole(rest, "item").filter((one) => one !== score);
  const [item] = items;
  if (item === undefined) return decline("no column has a name that says what was rated");
  const others = rest.filter((one) => one !== score && one.isNumeric && !one.isIdentifier);
  const isOnce = item.values.length === item.cells.filter(Boolean).length;
  const { count } = further(["count"], others);
  if (raters.length === 0 && (isOnce || others.length > 0))
    decline(
      "no column says who rated, and " +
        (isOnce ? `each ${inQuotes(item.name)} comes once` : `there is ${quotedColumns(others)}`) +
        ": these are published numbers, for the list `published`" +
        (isOnce || !count ? "" : `, or how often each answer came (count: ${count as string})`),
    );
  const notes: string[] = [];
  const list = {
    ...likeliest("rater", raters, notes),
    ...likeliest("item", items, notes),
    ...likeliest("score", [score, ...exact.slice(1)], notes),
    ...further(["dimension"], rest),
  };
  notes.push(
    "score: state minimum and maximum. Words need numbers: values: { 5: Excellent, 4: Good }.",
  );
  return { kind: "ratings", list, notes };
}

function guessedList(columns: readonly FileColumn[], isText: boolean): GuessedList {
  if (columns.length === 0) decline("its records are lists or single values, and name nothing");
  if (columns.every(({ name, cells }) => cells.length === 1 && name.includes("."))) {
    const maps = new Set(columns.map(({ name }) => name.replace(/\..*/, "")));
    decline(`its one record has maps in ${firstNames([...maps])}`);
  }
  const odd = columns.filter(
    ({ name, values }) =>
      /^(column \d+$|Unnamed: )/.test(name) ||
      (isText && name.trim() !== "" && (Number.isFinite(Number(name)) || values.includes(name))),
  );
  if (odd.length > 1)
    decline(
      `the first row names ${quotedColumns(odd)}: it may be a header of groups, no header ` +
        "(header_rows: 0), or answers that the columns count",
    );
  const isNested = ({ values }: FileColumn) =>
    values.some((one) => /^\[[^]*\{/.test(one)) && values.every((one) => one.startsWith("["));
  try {
    return guessedComparisons(columns) ?? guessedRatings(columns);
  } catch (error) {
    const nested = columns.filter(isNested);
    if (nested.length === 0) throw error;
    return decline(`there are lists in ${quotedColumns(nested)}`);
  }
}

const mappedFiles = ({ files }: Mapping) =>
  Object.entries(files) as [[string, FileSet], ...[string, FileSet][]];

/** On all records of one file: how many an import would take, or which key is left to fill. */
function createTrials({ warehouse, elementsOf }: ElementReader, source: SourceFile) {
  const screenedAs = remembered((options) => screen(source, JSON.parse(options) as FileSet));
  const elements = remembered<Promise<string>, "list" | "lines">((form) =>
    elementsOf(source.file, form),
  );
  const reader: ElementReader = { warehouse, elementsOf: (_, form) => elements(form) };
  const read = async (mapping: Mapping) => {
    const [[name, { delimiter, header_rows }]] = mappedFiles(mapping);
    const files = new Map([[name, [await screenedAs(JSON.stringify({ delimiter, header_rows }))]]]);
    return withQueries(mapping, async (queries) => {
      const { screened } = await queries.run(files, reader.elementsOf);
      const [list] = (await readLists(reader, mapping, screened)) as [ReadList];
      const { taken, quarantined, records } = list;
      const first = await firstMisfit(warehouse, list);
      const bad = first && ` ${quarantined} would be in quarantine. The first: ${first}`;
      return {
        quarantined,
        share: taken === 0 ? 0 : 1 - quarantined / records,
        left: columnsLeft(
          list.files,
          list.lacking.map(({ name }) => name),
        ),
        says: `It reads ${thousands(taken)} of ${counted(records, "record")}.${bad}`,
      };
    });
  };
  return async (data: Readonly<Record<string, unknown>>) => {
    const text = stringify(data, { lineWidth: 0 });
    const mapping = parseMapping("mapping.yaml", text);
    const found = await mapping.then(read).catch((error: unknown) => {
      if (!(error instanceof RecountError)) throw error;
      const says = messageOf(error).replace(/^\S*\.yaml(, line \d+)?: /, "");
      return { quarantined: 0, share: 0, left: [] as string[], says };
    });
    return { text, ...found };
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

/** Keys of a guess that a preset must read, and what may replace each. */
const insteadOf = { rater: "session", item: "left", dimension: "", weight: "", count: "" };

const shownCharacters = 200;
const shownRecords = 5;

async function readHead(
  { warehouse, elementsOf }: ElementReader,
  source: SourceFile,
  options: FileSet,
): Promise<{ columns: FileColumn[]; texts: string[] }> {
  const screened = await screen(source, options);
  const table = await fileTableOf(warehouse, screened, options, elementsOf);
  const { columns, column, from, raw } = table;
  const cells = columns.map((name, i) => `${column(name, source.path)} as c${i}`);
  const rows = await warehouse.all(
    `select ${[...cells, `left(${raw}, ${shownCharacters}) as raw`].join(", ")} from ${from} ` +
      "limit 2000",
  );
  const cellsOf = (key: string) => rows.map((row) => textOf(row, key));
  const fields = columns.flatMap((name, i) => fieldsIn(name, cellsOf(`c${i}`)));
  return {
    columns: [...new Map(fields)].map(([name, own]) => guessedColumn(name, own)),
    texts: cellsOf("raw").slice(0, shownRecords),
  };
}

/** A mapping in YAML, with comments on what is unsure; or why there is none. */
export interface GuessedMapping {
  readonly text: string;
  readonly refused?: string;
}

const commented = (lines: readonly string[]) =>
  lines.map((one) => `# ${one.replaceAll(/[\r\n]+/g, " ")}\n`).join("");

/** A mapping with a query to fill in. */
function unguessed(
  study: object,
  file: unknown,
  isJson: boolean,
  [refused, ...texts]: [string, ...string[]],
): GuessedMapping {
  const cell = isJson ? "record ->> '$.…'" : '"…"';
  const sql =
    "-- needed: item and score, or left, right and winner; good to have: rater, line\n" +
    `select line, ${cell} as item, ${cell} as score from data order by line\n`;
  const ratings = { from: "rows", rater: "rater", item: "item", score: "score" };
  const data = { study, files: { data: file, rows: { sql } }, ratings };
  const first = texts.length === 0 ? [] : ["The first records:", ...texts.map((one) => `  ${one}`)];
  const text = commented([refused, ...first]) + stringify(data, { lineWidth: 0 });
  return { text, refused };
}

async function guessWith(reader: ElementReader, path: string): Promise<GuessedMapping> {
  const paths = [path];
  const text = /\.(txt|dat)$/i.test(path) ? { format: "csv" as const } : {};
  const named = { files: { data: { paths, ...text } }, folder: "", at: () => "--guess" };
  const [source] = (await filesNamed(named, "data")) as [SourceFile];
  const read = { ...text, ...(await delimiterIn(source)) };
  const { columns, texts } = await readHead(reader, source, { paths, ...read });
  const commas = columns.flatMap(({ values }) =>
    values.filter((one) => /^[+-]?\d+,\d+$/.test(one)),
  );
  // Three digits may be thousands.
  const hasDecimals = commas.some((one) => !/,\d{3}$/.test(one));
  const form = { ...read, ...(hasDecimals && { decimal: "," }) };
  const file = Object.keys(form).length === 0 ? path : { path, ...form };
  const study = { id: stemOf(source).replaceAll(/^[^A-Za-z0-9]+|[^\w.-]/g, "") || "study" };
  const isJson = source.format.startsWith("json");
  const tried = createTrials(reader, source);
  let guess: GuessedList | undefined;
  let why = "";
  try {
    guess = guessedList(columns, texts.length > 0 && !isJson);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    why = `${messageOf(error)}.`;
  }
  const guessed = Object.entries(insteadOf).filter(([key]) => key in (guess?.list ?? {}));
  const [wide, second] = patternsIn(scoreColumns(columns), columns);
  const pairs = pairsIn(columns, "sides").filter(({ left }) => !left.isNumeric);
  const fitting = [];
  for (const preset of presetNames()) {
    const whole = await parseMapping("mapping.yaml", stringify({ preset, study }));
    const [[from, own], ...queries] = mappedFiles(whole);
    const ending = extname(own.paths[0] ?? "");
    // A query goes into records of JSON, or into columns.
    if (queries.length > 0 && ending.startsWith(".json") !== isJson) continue;
    const data = { preset, study, files: { [from]: file } };
    let trial = await tried(data);
    if (trial.share === 0 && whole.ratings[0]?.wide && wide !== undefined && !second) {
      trial = await tried({ ...data, ratings: { from, wide: { score: wide.score } } });
      trial.says += " The columns of wide are a guess.";
    }
    const reads = [...whole.ratings, ...whole.comparisons].flatMap(Object.keys);
    const drops = guessed.some((keys) => !keys.some((key) => reads.includes(key)));
    const isOwn = ending === extname(path);
    // Scores of two items are no items.
    if (whole.ratings[0]?.wide && pairs.some(({ left }) => trial.left.includes(left.name)))
      continue;
    if (trial.share > 0) fitting.push({ ...trial, preset, drops, isOwn });
    // Its query has rows: only the name of a field is another.
    else if (queries.length > 0 && /"\w+\.\w+", which .* lacks\. /.test(trial.says))
      why += ` The preset ${preset} may fit: ${trial.says}`;
  }
  fitting.sort((a, b) => a.quarantined - b.quarantined || Number(b.isOwn) - Number(a.isOwn));
  if (guess !== undefined) {
    const data = { study, files: { data: file }, [guess.kind]: { from: "data", ...guess.list } };
    const trial = await tried(data);
    why = trial.says + why;
    if (trial.share >= 0.5) fitting.push({ ...trial, preset: "", drops: false, isOwn: true });
  }
  // Of those that read equally many records, a preset comes first unless it drops a column.
  const [best] = fitting.toSorted((a, b) => b.share - a.share || Number(a.drops) - Number(b.drops));
  if (best === undefined) {
    const refused =
      `${path}: no mapping can be guessed: ${why} A guess reads a rating or a comparison a ` +
      "record, or one pattern of columns. Others need a query.";
    return unguessed(study, file, isJson, [refused, ...texts]);
  }
  const others = fitting.filter((one) => one !== best && one.preset !== "");
  const fits = best.preset === "" ? "" : `The preset ${best.preset} fits its columns. `;
  const unused = `Not used: ${firstNames(best.left)}. Is one the dimension, slate or time?`;
  const remarks = [
    `A mapping to start from, guessed from the columns of ${inQuotes(path)}. Check each line.`,
    fits + best.says,
    ...others.map(({ preset, says }) => `The preset ${preset} fits its columns too. ${says}`),
    ...((best.preset === "" && guess?.notes) || []),
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
