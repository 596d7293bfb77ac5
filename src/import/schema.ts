// The schema of a mapping.
import {
  Type,
  type Static,
  type TObjectOptions,
  type TOptional,
  type TProperties,
  type TSchema,
} from "typebox";
import { Enum, fileNamePattern } from "../contract/index.js";
import { textSchema as text } from "../yaml/index.js";
import { strict } from "../platform/index.js";

type Optional<Keys extends TProperties> = { [Key in keyof Keys]: TOptional<Keys[Key]> };

/** A map of these keys only. */
const objectOf = <Needed extends TProperties, Others extends TProperties>(
  needed: Needed,
  others: Others,
  options: TObjectOptions = {},
) => {
  const optional = Object.entries(others).map(([key, schema]) => [key, Type.Optional(schema)]);
  const keys = { ...needed, ...(Object.fromEntries(optional) as Optional<Others>) };
  return Type.Object(keys, { ...strict, ...options });
};

const column = (description: string) => text(`Column with ${description}`);
const orList = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Array(schema, { minItems: 1 })], { description });

export const asList = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T];

export type Scalar = string | number | boolean | null;
/** A union of four would take the compiler of schemas four times as long. */
const scalar = Type.Unsafe<Scalar>({ type: ["string", "number", "boolean", "null"] });

/** Null for an empty cell. */
export const spelled = (spelling: Scalar) => (spelling === null ? null : String(spelling));

/** A number has many spellings: 2 is 2.0 too. */
export function areAlike(one: Scalar, other: Scalar): boolean {
  const [text, otherText] = [spelled(one), spelled(other)];
  if (text === otherText) return true;
  const hasNumber = typeof one === "number" || typeof other === "number";
  return (
    hasNumber &&
    Boolean(text?.trim()) &&
    Boolean(otherText?.trim()) &&
    Number(text) === Number(otherText)
  );
}

const spellings = (description: string, minProperties = 0) =>
  Type.Record(Type.String(), orList(scalar, "Spellings."), { description, minProperties });

/**
 * A column; several, whose texts are joined by `/`; a column with what its cells mean; or one text
 * for all rows.
 */
const refTo = <T extends TSchema>(values: T, description: string) =>
  Type.Union(
    [
      Type.String({ minLength: 1 }),
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
      objectOf(
        {},
        {
          column: column("the texts."),
          value: Type.String({ description: "One text for all rows, instead of a column." }),
          values: values,
        },
      ),
    ],
    { description },
  );
const textSpellings = spellings("Text to the spellings that mean it; any other is quarantined.", 1);
const ref = (description: string) => refTo(textSpellings, description);
export type Ref = Static<ReturnType<typeof ref>>;

const isOrNot = objectOf(
  {},
  {
    true: orList(scalar, "Spellings for yes."),
    false: orList(scalar, "Spellings for no."),
  },
  { minProperties: 1 },
);
const flagRef = (description: string) => refTo(isOrNot, description);
export type Flag = Static<ReturnType<typeof flagRef>>;

const time = (description: string) =>
  Type.Union(
    [
      Type.String({ minLength: 1 }),
      objectOf(
        { column: column("the instants.") },
        {
          zone: text("IANA time zone of instants that state none, such as UTC or Europe/Berlin."),
          unit: Enum(["s", "ms"], {
            description: "For numbers: seconds or milliseconds since 1970.",
          }),
          format: text("How instants are written, as %d/%m/%Y %H:%M; default ISO 8601."),
        },
      ),
    ],
    { description },
  );
export type Time = Static<ReturnType<typeof time>>;

const fileSet = objectOf(
  {},
  {
    path: orList(
      text("File, or a pattern such as votes/*.csv."),
      "Files, relative to the mapping.",
    ),
    sql: text("Instead of path: one SELECT, whose tables are the other names of files."),
    format: Enum(["csv", "tsv", "json", "jsonl", "parquet"], {
      description: "Default: by the ending of the name.",
    }),
    delimiter: Type.String({
      minLength: 1,
      maxLength: 1,
      description: "Of a text file, default `,`.",
    }),
    header_rows: Type.Integer({
      minimum: 0,
      maximum: 10,
      description:
        "Rows before the data; the first names the columns, which are column 1, … with 0. " +
        "Default 1.",
    }),
    quote: Type.String({
      pattern: "^(none|[!-~])$",
      description: 'A character, or none: quotes are text. Default `"`.',
    }),
    skip_lines: Type.Integer({
      minimum: 0,
      description: "Lines before the header: a title, or a header of another layout. Default 0.",
    }),
    decimal: Enum([".", ","], { description: "Decimal sign of numbers, default `.`." }),
    missing: Type.Array(Type.String(), {
      description: "Cells without a value, default only empty ones.",
    }),
    trim: Type.Boolean({
      description: "Whether blanks around a cell are no part of it, default false.",
    }),
  },
);
const fileOrPath = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  fileSet,
]);
export type FileOptions = Partial<Omit<Static<typeof fileSet>, "path">>;

const conditions = (description: string) => spellings(description);

const from = text("Name of the files.");

const rowKeys = {
  key: Type.Array(Type.String({ minLength: 1 }), {
    description:
      "Columns that identify a row: a second one goes to quarantine. `*`: all, the " +
      "default where a column says who rated. []: none.",
  }),
  only: conditions("Rows that count: column to the spellings that they have. Others are skipped."),
  skip: conditions("Rows that are skipped: column to the spellings that they have."),
  rater: ref("Who rated."),
  session: ref("The session, default the rater's only one."),
  job: ref("The job, whose numbers are computed separately too."),
  slate: ref("What was rated together, default each row."),
  prompt: ref("What was judged, if several slates show it."),
  order: Enum(["row"], { description: "row: all rows are one session, in the order of the file." }),
  time: time("When the slate was rated."),
  started: time("When the session began."),
  completed: time("When the session was completed; empty: it was not. Default: every session was."),
  dimension: ref("What was asked, default one dimension without a name."),
  direction: Enum(["higher", "lower"], {
    description: "Better end of the scale. Default: unknown, unless published ranks imply it.",
  }),
  training: flagRef("Whether the row is training, default false."),
  correct: flagRef("Whether the answer to a control question is correct."),
  count: column(
    "how many equal answers the record stands for, a whole number; 0 skips it; default 1.",
  ),
  meta: column("further data of the rating, as a JSON object."),
} as const;

const ratingList = objectOf(
  { from },
  {
    ...rowKeys,
    item: ref("What was rated."),
    item_id: column("the item's number."),
    score: Type.Union([
      Type.String({ minLength: 1 }),
      objectOf(
        {},
        {
          column: column("the scores."),
          values: spellings("Score to the spellings that mean it, such as 5: [Excellent].", 1),
          minimum: Type.Number({ description: "Lowest score of the scale." }),
          maximum: Type.Number({ description: "Highest score of the scale." }),
        },
      ),
    ]),
    wide: objectOf(
      {
        score: orList(
          Type.String({ minLength: 1 }),
          "Columns with scores, such as Answer.*, or a list of columns; each is a row of " +
            "its own. A pattern has one `*`.",
        ),
      },
      {
        as: Enum(["item", "rater", "dimension", "none"], {
          description:
            "What `*` is; none: nothing. Default: the item, or the dimension where item " +
            "names it.",
        }),
      },
    ),
  },
);
export type RatingList = Static<typeof ratingList>;

/** What `*` is in a wide list. */
export const starRole = ({ wide, item }: RatingList) =>
  wide?.as ?? (item === undefined ? "item" : "dimension");

const comparisons = objectOf(
  {
    from,
    left: ref("One of the two items."),
    right: ref("The other."),
    winner: Type.Union(
      [
        column("the name of the item that won."),
        objectOf(
          { column: column("the answer.") },
          {
            values: objectOf(
              {},
              {
                left: orList(scalar, "Spellings for a win of the left item."),
                right: orList(scalar, "Spellings for a win of the right item."),
                tie: orList(scalar, "Spellings for a tie."),
              },
            ),
          },
        ),
      ],
      { description: "Who won: without spellings for left and right, cells name the item." },
    ),
  },
  {
    ...rowKeys,
    weight: Type.Union(
      [
        column("the weights."),
        objectOf(
          {
            column: column("what a weight follows from."),
            values: spellings("Weight to the spellings that mean it, such as 3: [A>>B].", 1),
          },
          {},
        ),
      ],
      { description: "Comparisons that a row counts as, a number above 0; default 1." },
    ),
    covariates: Type.Array(Type.String({ pattern: "^\\w+$" }), {
      minItems: 1,
      description:
        "Columns with the left item's value less the right one's of what may sway a comparison.",
    }),
  },
);
export type ComparisonList = Static<typeof comparisons>;

export const winnerIn = (winner: ComparisonList["winner"]) =>
  typeof winner === "string" ? { column: winner } : winner;

const publishedFiles = objectOf(
  {
    from,
    item: refTo(
      spellings("Names of items to the names that the table has for them; others stay.", 1),
      "The items: a column, several, or one with other names for some.",
    ),
  },
  {
    kind: Type.String({ minLength: 1, description: "Metric kind. Default: unknown." }),
    value: column("the main number of the kind."),
    fields: Type.Record(Type.String(), Type.String(), {
      description: "Field of the kind to its column.",
    }),
    dimension: ref("The dimension."),
    source: ref("Jobs that the numbers are about, default the whole study."),
    only: conditions("Rows that count: column to the spellings that they have."),
    options: Type.Record(Type.String(), Type.Unknown(), { description: "Stated conventions." }),
    decimals: Type.Integer({
      minimum: 0,
      maximum: 20,
      description: "Decimals to which the numbers are rounded, where their texts dropped zeros.",
    }),
  },
);
export type PublishedTable = Static<typeof publishedFiles>;

const names = orList(Type.String({ minLength: 1 }), "Names of items.");

export const mappingSchema = objectOf(
  {},
  {
    preset: text("A mapping that comes with Recount; the keys of this file replace its own."),
    study: objectOf(
      {
        id: Type.String({
          pattern: fileNamePattern,
          description: "Name of the study in the lake.",
        }),
      },
      {
        name: text("For people."),
        type: text("For example pairwise_text, mushra, acr_video."),
        licence: text("Licence of the data."),
        source: text("Where the data come from."),
      },
    ),
    files: Type.Record(Type.String(), fileOrPath, {
      minProperties: 1,
      description: "Name to file.",
    }),
    ratings: orList(ratingList, "Lists of scores."),
    comparisons: orList(comparisons, "Lists of comparisons of two items."),
    roles: objectOf({}, { reference: names, anchors: names }),
    published: Type.Array(publishedFiles),
  },
  { title: "Recount mapping" },
);

export type MappingFile = Static<typeof mappingSchema>;
