/** Numbers as the quotients that they are, for `recount trace`. */
import { mainField, metricKind, type Kind } from "../../metrics/index.js";
import type { Evaluator } from "../recompute/evaluator.js";
import { patched, type Scenario } from "../recompute/scenario.js";
import { hypothesesFor } from "../recompute/hypotheses.js";
import type { Explanation } from "../explain/find-cause.js";

interface Quotient {
  readonly part: number;
  readonly whole: number;
  readonly value: number;
}

export interface ItemQuotients extends Quotient {
  readonly item: string;
  /** Under the explanation of the result; null if there is none, or it is no quotient. */
  readonly explained: (Quotient & { readonly says: string }) | null;
}

/** The main numbers by item; none if the kind or its conventions have no such form. */
export function quotientsOf(
  kind: Kind,
  evaluator: Evaluator,
  own: Scenario,
  explanation: Explanation | null,
): ItemQuotients[] {
  const quotients = quotientsUnder(kind, evaluator, own);
  const { dimension, job } = own.population;
  const { ratings } = evaluator;
  const named = hypothesesFor(kind, own, {
    ratings,
    dimension: dimension ?? "",
    source: job ?? "",
  }).filter(({ name }) => ` ${explanation?.name ?? ""} `.includes(` ${name} `));
  const isWhole = named.map(({ name }) => name).join(" ").length === explanation?.name.length;
  const scenario = named.reduce((all, { set }) => patched(all, set), own);
  const others = isWhole ? quotientsUnder(kind, evaluator, scenario) : new Map<string, Quotient>();
  return [...quotients].map(([item, quotient]) => {
    const other = others.get(item);
    return {
      item,
      ...quotient,
      explained: other === undefined ? null : { ...other, says: explanation!.says },
    };
  });
}

function quotientsUnder(
  kind: Kind,
  evaluator: Evaluator,
  scenario: Scenario,
): Map<string, Quotient> {
  const { conventions, forms, relative, rescaled } = scenario;
  const less = metricKind(kind).lessThanN?.(conventions) ?? null;
  const isPlain = forms.length === 0 && relative === null && rescaled === null;
  if (!isPlain || less === null) return new Map();
  const { items, columns } = evaluator.table(kind, scenario, false);
  const unit =
    kind === "percent_chosen" || kind === "percent_approved" ? conventions.percent_scale : 1;
  return new Map(
    items.map((item, i) => {
      const value = columns[mainField(kind)]![i]!;
      const whole = columns.n![i]! - less;
      return [item, { value, whole, part: (value * whole) / unit }];
    }),
  );
}
