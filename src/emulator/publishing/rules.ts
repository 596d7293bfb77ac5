import { Type, type Static } from "typebox";
import { readValue, ruleReader } from "../rule-reader.js";
import { conventionInputSchema } from "../scoring/convention.js";
import { kinds } from "../scoring/score.js";
import { corruptionSchema } from "./corruption.js";

const closed = { additionalProperties: false } as const;

/** How the results of some experiments and kinds are published. Later rules override earlier ones. */
const publishingRuleSchema = Type.Object(
  {
    /** Id, name or `*`. Default `*`. */
    experiment: Type.Optional(Type.String()),
    kinds: Type.Optional(Type.Array(Type.Enum([...kinds]))),
    dimension: Type.Optional(Type.String()),
    /** `""` for the whole experiment, or a job's id. Default: every source. */
    source: Type.Optional(Type.String()),
    conventions: Type.Optional(conventionInputSchema),
    corruption: Type.Optional(corruptionSchema),
    /** Publish numbers relative to those of one item (null: the highest). Default: as they are. */
    relative: Type.Optional(
      Type.Object({ to: Type.Union([Type.String(), Type.Null()]), as: Type.Enum(["difference", "percent"]) }, closed),
    ),
    /** `by` times each number plus `plus`. Default 1 and 0. */
    rescale: Type.Optional(
      Type.Object(
        { by: Type.Optional(Type.Number({ not: { const: 0 } })), plus: Type.Optional(Type.Number()) },
        closed,
      ),
    ),
    /** Round each number to IEEE 754 binary32. Default false. */
    single_precision: Type.Optional(Type.Boolean()),
    /** Decimals of published numbers. Default: not rounded. */
    decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
    /** Default `nearest`. */
    rounding: Type.Optional(Type.Enum(["nearest", "truncate"])),
    /** What `options` states: the convention used, the default convention, or nothing. Default `stated`. */
    options: Type.Optional(Type.Enum(["stated", "silent", "none"])),
  },
  closed,
);

export type PublishingRule = Static<typeof publishingRuleSchema>;

/** @throws UsageError naming the rule, the field and the value. */
export const publishingRules = ruleReader<PublishingRule>(
  publishingRuleSchema,
  'docs/reference/emulator.md, "Publishing", lists the fields of a rule',
);

/** Reads a YAML or JSON file with a list of publishing rules. @throws UsageError. */
export const readPublishingRules = async (path: string): Promise<PublishingRule[]> =>
  publishingRules(await readValue(path), path);
