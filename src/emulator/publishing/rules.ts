// Publishing rules: the conventions, corruptions and forms of published results.
import { Type, type Static, type TObject, type TProperties } from "typebox";
import { readValue, ruleReader } from "../rule-reader.js";
import { conventionInputSchema } from "../scoring/convention.js";
import type { ScoredSlate, ScoredStudy } from "../scoring/population.js";
import { scoredKinds, type PublishedRow } from "../scoring/score.js";
import { strict } from "../../platform/index.js";

type Slates = readonly ScoredSlate[];

/** What it does to the answers or to the scored rows. */
interface CorruptionKind<P extends TProperties> {
  fields: P;
  slates?(slates: Slates, fields: Static<TObject<P>>, study: ScoredStudy): Slates;
  rows?(rows: PublishedRow[], fields: Static<TObject<P>>): PublishedRow[];
}

const beforeScoring = <P extends TProperties>(
  fields: P,
  slates: Required<CorruptionKind<P>>["slates"],
): CorruptionKind<P> => ({ fields, slates });

const afterScoring = <P extends TProperties>(
  fields: P,
  rows: Required<CorruptionKind<P>>["rows"],
): CorruptionKind<P> => ({ fields, rows });

const nameText = Type.String();
const countFromZero = Type.Integer({ minimum: 0 });

type UnitOf = (slate: ScoredSlate) => string | number;

const bySession: UnitOf = ({ session_id }) => session_id;
const byRater: UnitOf = ({ ratings: [first] }) => String(first?.rater_id);

/** `index` counts sessions or raters from 0, sorted, and wraps around. */
const withoutUnit = (unitOf: UnitOf) =>
  beforeScoring({ index: countFromZero }, (slates, { index }) => {
    const units = [...new Set(slates.map(unitOf))].sort((a, b) => (a < b ? -1 : 1));
    const chosen = units[index % units.length];
    return slates.filter((slate) => unitOf(slate) !== chosen);
  });

/** Those that were completed last. */
function withoutLatest(
  slates: Slates,
  { sessions: count }: { sessions: number },
  study: ScoredStudy,
): Slates {
  const present = new Set(slates.map(({ session_id }) => session_id));
  const latest = study.sessions
    .filter(({ id }) => present.has(id))
    .map(({ id, date_completed: end }) => ({ id, at: end === null ? Infinity : Date.parse(end) }))
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  const stale = new Set(latest.slice(0, count).map(({ id }) => id));
  return slates.filter(({ session_id }) => !stale.has(session_id));
}

const corruptions = {
  drop_session: withoutUnit(bySession),
  drop_rater: withoutUnit(byRater),
  stale: beforeScoring({ sessions: countFromZero }, withoutLatest),
  swap_items: afterScoring({ a: nameText, b: nameText }, (rows, { a, b }) => {
    const other = new Map([
      [a, b],
      [b, a],
    ]);
    return rows.map((row) => ({ ...row, stimulus: other.get(row.stimulus) ?? row.stimulus }));
  }),
  add: afterScoring(
    { item: nameText, field: nameText, by: Type.Number() },
    (rows, { item, field, by }) =>
      rows.map((row) => {
        const value = row[field];
        return row.stimulus === item && typeof value === "number"
          ? { ...row, [field]: value + by }
          : row;
      }),
  ),
  drop_item: afterScoring({ item: nameText }, (rows, { item }) =>
    rows.filter((row) => row.stimulus !== item),
  ),
  rename_item: afterScoring({ from: nameText, to: nameText }, (rows, { from, to }) =>
    rows.map((row) => (row.stimulus === from ? { ...row, stimulus: to } : row)),
  ),
};
type Damages = typeof corruptions;

export type Corruption = {
  [K in keyof Damages]: { damage: K } & Static<TObject<Damages[K]["fields"]>>;
}[keyof Damages];

const corruptionSchema = Type.Unsafe<Corruption>({
  type: "object",
  required: ["damage"],
  discriminator: { propertyName: "damage" },
  oneOf: Object.entries(corruptions).map(([damage, { fields }]) =>
    Type.Object({ damage: Type.Literal(damage), ...fields }, strict),
  ),
});

const corruptionKindOf = ({ damage }: Corruption) =>
  corruptions[damage] as CorruptionKind<TProperties>;

export const corruptedSlates = (
  slates: Slates,
  corruption: Corruption,
  study: ScoredStudy,
): Slates => corruptionKindOf(corruption).slates?.(slates, corruption, study) ?? slates;

export const corruptedRows = (rows: PublishedRow[], corruption: Corruption): PublishedRow[] =>
  corruptionKindOf(corruption).rows?.(rows, corruption) ?? rows;

/** Later rules override earlier ones. */
const publishingRuleSchema = Type.Object(
  {
    /** Id, name or `*`. Default `*`. */
    experiment: Type.Optional(Type.String()),
    kinds: Type.Optional(Type.Array(Type.Enum([...scoredKinds]))),
    dimension: Type.Optional(Type.String()),
    /** `""` for the whole experiment, or a job's id. Default: every source. */
    source: Type.Optional(Type.String()),
    conventions: Type.Optional(conventionInputSchema),
    corruption: Type.Optional(corruptionSchema),
    /** Relative to one item (null: the highest). Default: as they are. */
    relative: Type.Optional(
      Type.Object(
        { to: Type.Union([Type.String(), Type.Null()]), as: Type.Enum(["difference", "percent"]) },
        strict,
      ),
    ),
    /** `by` times each number plus `plus`. Default 1 and 0. */
    rescale: Type.Optional(
      Type.Object(
        {
          by: Type.Optional(Type.Number({ not: { const: 0 } })),
          plus: Type.Optional(Type.Number()),
        },
        strict,
      ),
    ),
    /** IEEE 754 binary32. Default false. */
    single_precision: Type.Optional(Type.Boolean()),
    /** Default: not rounded. */
    decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
    /** Default `nearest`. */
    rounding: Type.Optional(Type.Enum(["nearest", "truncate"])),
    /** The convention used, the default one, or nothing. Default `stated`. */
    options: Type.Optional(Type.Enum(["stated", "silent", "none"])),
  },
  strict,
);

export type PublishingRule = Static<typeof publishingRuleSchema>;

/** @throws UsageError. */
export const publishingRules = ruleReader<PublishingRule>(
  publishingRuleSchema,
  'docs/reference/emulator.md, "Publishing", lists the fields of a rule',
);

/** YAML or JSON. @throws UsageError. */
export const readPublishingRules = async (path: string): Promise<PublishingRule[]> =>
  publishingRules(await readValue(path), path);
