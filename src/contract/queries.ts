import type { Static } from "typebox";
import { Type } from "../platform/index.js";
import { assumed, Enum, IntegerEnum } from "./schema.js";
import { identifierPattern } from "./identifier.js";
import { metricKinds, raterPoolKinds } from "./vocabulary.js";

const list = identifierPattern.slice(1, -1);

/** Every query parameter of the interface. Source: service-api.md, "Path and query parameters". */
export const queryParameters = {
  kind: Type.Object({
    kind: Type.Optional(IntegerEnum(raterPoolKinds, { description: "Filter by rater pool kind." })),
  }),
  training: Type.Object({
    training: Type.Optional(
      Enum(["true", "false"], { ...assumed({ default: "false" }), description: "Whether training data is included." }),
    ),
  }),
  metric_source: Type.Object({
    metric: Type.Optional(Enum(metricKinds, { description: "Filter by metric." })),
    source: Type.Optional(
      Type.String({
        pattern: `^${list}(,${list})*$`,
        description: "Comma-separated identifiers: job or experiment, on the metrics list also leaderboard.",
      }),
    ),
  }),
} as const;

export type QueryName = keyof typeof queryParameters;
export type QueryOf<N extends QueryName> = Static<(typeof queryParameters)[N]>;
