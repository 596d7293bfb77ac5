import { Type, type Static, type TObject } from "typebox";

const index = Type.Integer({ minimum: 0 });
const name = Type.String();
const by = Type.Number();
const onField = { item: name, field: name, by };
const fromTo = { from: name, to: name };

const fields = {
  drop_session: { index },
  drop_slate: { index },
  double_slate: { index },
  double_session: { index },
  flip_slate: { index },
  flip_session: { index },
  tie_slate: { index },
  relabel_slate: { index, ...fromTo },
  merge_items: fromTo,
  round_scores: { step: Type.Number({ exclusiveMinimum: 0 }) },
  shift_scores: { by, job: name },
  stale: { sessions: index },
  drop_rater: { index },
  swap_items: { a: name, b: name },
  add: onField,
  scale: onField,
  drop_item: { item: name },
  copy_item: fromTo,
  rename_item: fromTo,
} as const;

type Fields = typeof fields;

/** Damage done on purpose: to the answers before scoring, or to the rows after it. */
export type Corruption = { [D in keyof Fields]: { damage: D } & Static<TObject<Fields[D]>> }[keyof Fields];

export const corruptionSchema = Type.Unsafe<Corruption>({
  type: "object",
  required: ["damage"],
  discriminator: { propertyName: "damage" },
  oneOf: Object.entries(fields).map(([damage, own]) =>
    Type.Object({ damage: Type.Literal(damage), ...own }, { additionalProperties: false }),
  ),
});
