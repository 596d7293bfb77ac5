import { kinds, metricKind } from "../../../metrics/index.js";
import type { Hypothesis } from "./hypothesis.js";

/** Decimals that are not published were dropped. */
export const truncation: Hypothesis = {
  name: "rounding=truncate",
  axis: "rounding",
  kinds: kinds.filter((kind) => Object.values(metricKind(kind).fields).some((role) => role !== "count")),
  says: "numbers are truncated after the last published decimal, not rounded",
  set: { rounding: "truncate" },
  bits: 4,
};

/** How the counted ratings were scored, from the kinds' own lists. Kinds share equal entries. */
export const scorings: readonly Hypothesis[] = [truncation, ...merged()];

function merged(): Hypothesis[] {
  const found = new Map<string, Hypothesis>();
  for (const kind of kinds) {
    for (const { axis, value, says, set, bits, fields } of metricKind(kind).hypotheses) {
      const key = JSON.stringify([axis, value, says, set]);
      const shared = found.get(key)?.kinds ?? [];
      found.set(key, {
        name: `${axis}=${value}`,
        axis,
        kinds: [...shared, kind],
        says,
        set,
        bits,
        ...(fields && { fields }),
      });
    }
  }
  return [...found.values()];
}
