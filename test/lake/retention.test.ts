import { expect, it } from "vitest";
import { retained, type Retention } from "../../src/lake/prune.js";

/** A snapshot at each of these instants, oldest first; `~` marks one that is not whole. */
const keptOf = (instants: readonly string[], retention: Retention) => {
  const all = instants.map((text) => ({
    id: text,
    created_at: `${text.replace("~", "")}:00.000Z`,
    isWhole: !text.startsWith("~"),
  }));
  const kept = retained(all.toReversed(), retention);
  return instants.filter((id) => kept.has(id));
};

const days = ["2026-03-01T02:00", "2026-03-02T02:00", "2026-03-02T14:00", "2026-03-05T02:00"];

it.each<[string, readonly string[], Retention, readonly string[]]>([
  ["the newest", days, { last: 2 }, days.slice(2)],
  ["the newest of each day that has any", days, { daily: 2 }, days.slice(2)],
  ["no day twice", days, { daily: 3 }, [days[0] ?? "", ...days.slice(2)]],
  ["what any rule keeps", days, { last: 1, monthly: 1, daily: 2 }, days.slice(2)],
  ["nothing by a rule that is not named", days, {}, []],
  [
    "the newest of a month and a year",
    ["2025-12-31T23:59", "2026-01-01T00:00", ...days],
    { monthly: 2, yearly: 2 },
    ["2025-12-31T23:59", "2026-01-01T00:00", "2026-03-05T02:00"],
  ],
  [
    "the whole one of a day rather than a newer one that is not",
    ["2026-03-01T02:00", "~2026-03-01T03:00"],
    { daily: 1 },
    ["2026-03-01T02:00"],
  ],
  [
    "one that is not whole, if the day has no other",
    ["~2026-03-01T01:00", "~2026-03-01T02:00"],
    { daily: 1 },
    ["~2026-03-01T02:00"],
  ],
])("keeps %s", (_, instants, retention, kept) => {
  expect(keptOf(instants, retention)).toEqual(kept);
});
