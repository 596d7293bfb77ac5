import { data } from "./data.js";
import type { Scenario } from "./service.js";
import { wire } from "./wire.js";

/** Everything that the hostile service sends, and what must happen, by title. A row is one export into an empty lake. */
export const scenarios: readonly (readonly [title: string, scenario: Scenario])[] = Object.entries({
  ...wire,
  ...data,
}).flatMap(([topic, table]) =>
  table.map(([sends, reply, must, more]) => [`${topic}: ${sends}`, { reply, must, ...more }] as const),
);
