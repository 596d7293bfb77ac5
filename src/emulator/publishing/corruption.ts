import type { Static, TObject, TProperties } from "typebox";
import { Type } from "../../platform/index.js";
import type { ScoredRating, ScoredSlate, ScoredStudy } from "../scoring/population.js";
import type { PublishedRow } from "../scoring/score.js";

type Slates = readonly ScoredSlate[];
type Rows = PublishedRow[];

/** A way to corrupt published numbers on purpose: its fields, and what it does to the answers or to the scored rows. */
interface CorruptionKind<P extends TProperties> {
  fields: P;
  slates?(slates: Slates, fields: Static<TObject<P>>, study: ScoredStudy): Slates;
  rows?(rows: Rows, fields: Static<TObject<P>>): Rows;
}

const beforeScoring = <P extends TProperties>(
  fields: P,
  slates: Required<CorruptionKind<P>>["slates"],
): CorruptionKind<P> => ({ fields, slates });

const afterScoring = <P extends TProperties>(
  fields: P,
  rows: Required<CorruptionKind<P>>["rows"],
): CorruptionKind<P> => ({ fields, rows });

/** Counts slates, or sessions or raters sorted by identifier, from 0; wraps around. */
const index = { index: Type.Integer({ minimum: 0 }) };
const name = Type.String();
const by = { by: Type.Number() };
const onField = { item: name, field: name, ...by };
const fromTo = { from: name, to: name };

type Chosen = (slate: ScoredSlate, index: number) => boolean;

const sessionOf = (slate: ScoredSlate): string => slate.session_id;
const raterOf = (slate: ScoredSlate): string => String(slate.ratings[0]?.rater_id);

/** Whether a slate belongs to the session or rater at a position. */
function ofGroup(slates: Slates, key: (slate: ScoredSlate) => string, position: number): Chosen {
  const keys = [...new Set(slates.map(key))].sort();
  const chosen = keys[position % Math.max(1, keys.length)];
  return (slate) => key(slate) === chosen;
}
const ofSession = (slates: Slates, position: number): Chosen => ofGroup(slates, sessionOf, position);
const ofSlate = (slates: Slates, position: number): Chosen => {
  const chosen = position % Math.max(1, slates.length);
  return (_, at) => at === chosen;
};

const without = (slates: Slates, isChosen: Chosen): Slates => slates.filter((slate, at) => !isChosen(slate, at));
const doubled = (slates: Slates, isChosen: Chosen): Slates =>
  slates.flatMap((slate, at) => (isChosen(slate, at) ? [slate, slate] : [slate]));
const changed = (slates: Slates, isChosen: Chosen, change: (rating: ScoredRating) => ScoredRating): Slates =>
  slates.map((slate, at) => (isChosen(slate, at) ? { ...slate, ratings: slate.ratings.map(change) } : slate));

const everySlate = (): boolean => true;
const scores =
  (change: (score: number) => number) =>
  (rating: ScoredRating): ScoredRating => ({ ...rating, score: rating.score === null ? null : change(rating.score) });
const flipped = scores((score) => -score || 0);
const tied = (rating: ScoredRating): ScoredRating => ({ ...rating, score: 0 });
const renamed =
  ({ from, to }: { from: string; to: string }) =>
  (rating: ScoredRating): ScoredRating =>
    rating.stimulus === from ? { ...rating, stimulus: to } : rating;

/** Leaves out the sessions that were completed last. */
function withoutLatest(slates: Slates, { sessions: count }: { sessions: number }, study: ScoredStudy): Slates {
  const present = new Set(slates.map(sessionOf));
  const completedAt = (text: string | null): number => (text === null ? Infinity : new Date(text).getTime());
  const latest = study.sessions
    .filter(({ id }) => present.has(id))
    .map(({ id, date_completed }) => ({ id, at: completedAt(date_completed) }))
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .slice(0, count);
  const left = new Set(latest.map(({ id }) => id));
  return slates.filter((slate) => !left.has(slate.session_id));
}

const withField = (
  rows: Rows,
  { item, field }: { item: string; field: string },
  change: (value: number) => number,
): Rows =>
  rows.map((row) => {
    const value = row[field];
    return row.stimulus === item && typeof value === "number" ? { ...row, [field]: change(value) } : row;
  });

const kinds = {
  drop_session: beforeScoring(index, (slates, { index }) => without(slates, ofSession(slates, index))),
  drop_slate: beforeScoring(index, (slates, { index }) => without(slates, ofSlate(slates, index))),
  drop_rater: beforeScoring(index, (slates, { index }) => without(slates, ofGroup(slates, raterOf, index))),
  double_session: beforeScoring(index, (slates, { index }) => doubled(slates, ofSession(slates, index))),
  double_slate: beforeScoring(index, (slates, { index }) => doubled(slates, ofSlate(slates, index))),
  flip_session: beforeScoring(index, (slates, { index }) => changed(slates, ofSession(slates, index), flipped)),
  flip_slate: beforeScoring(index, (slates, { index }) => changed(slates, ofSlate(slates, index), flipped)),
  tie_slate: beforeScoring(index, (slates, { index }) => changed(slates, ofSlate(slates, index), tied)),
  relabel_slate: beforeScoring({ ...index, ...fromTo }, (slates, names) =>
    changed(slates, ofSlate(slates, names.index), renamed(names)),
  ),
  merge_items: beforeScoring(fromTo, (slates, names) => changed(slates, everySlate, renamed(names))),
  round_scores: beforeScoring({ step: Type.Number({ exclusiveMinimum: 0 }) }, (slates, { step }) =>
    changed(
      slates,
      everySlate,
      scores((score) => Math.round(score / step) * step),
    ),
  ),
  shift_scores: beforeScoring({ ...by, job: name }, (slates, { by, job }) =>
    changed(
      slates,
      (slate) => slate.job_id === job,
      scores((score) => score + by),
    ),
  ),
  stale: beforeScoring({ sessions: index.index }, withoutLatest),
  swap_items: afterScoring({ a: name, b: name }, (rows, { a, b }) => {
    const other: Record<string, string> = { [a]: b, [b]: a };
    return rows.map((row) => ({ ...row, stimulus: other[row.stimulus] ?? row.stimulus }));
  }),
  add: afterScoring(onField, (rows, fields) => withField(rows, fields, (value) => value + fields.by)),
  scale: afterScoring(onField, (rows, fields) => withField(rows, fields, (value) => value * fields.by)),
  drop_item: afterScoring({ item: name }, (rows, { item }) => rows.filter((row) => row.stimulus !== item)),
  copy_item: afterScoring(fromTo, (rows, { from, to }) => {
    const source = rows.find((row) => row.stimulus === from);
    return rows.map((row) => (row.stimulus === to ? { ...source, stimulus: to } : row));
  }),
  rename_item: afterScoring(fromTo, (rows, { from, to }) =>
    rows.map((row) => (row.stimulus === from ? { ...row, stimulus: to } : row)),
  ),
};
type Kinds = typeof kinds;

/** A corruption as a publishing rule states it. */
export type Corruption = {
  [K in keyof Kinds]: { damage: K } & Static<TObject<Kinds[K]["fields"]>>;
}[keyof Kinds];

export const corruptionSchema = Type.Unsafe<Corruption>({
  type: "object",
  required: ["damage"],
  discriminator: { propertyName: "damage" },
  oneOf: Object.entries(kinds).map(([damage, { fields }]) =>
    Type.Object({ damage: Type.Literal(damage), ...fields }, { additionalProperties: false }),
  ),
});

const kindOf = ({ damage }: Corruption) => kinds[damage] as CorruptionKind<TProperties>;

/** The slates after a corruption that happens before scoring. */
export const corruptedSlates = (slates: Slates, corruption: Corruption, study: ScoredStudy): Slates =>
  kindOf(corruption).slates?.(slates, corruption, study) ?? slates;

/** The rows after a corruption that happens after scoring. */
export const corruptedRows = (rows: Rows, corruption: Corruption): Rows =>
  kindOf(corruption).rows?.(rows, corruption) ?? rows;
