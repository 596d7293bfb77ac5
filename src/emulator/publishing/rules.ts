import { Type, type Static } from "typebox";
import { conventionInputSchema } from "../scoring/convention.js";
import { kinds } from "../scoring/score.js";
import { corruptionSchema } from "./corruption.js";
import { Ajv } from "ajv";
import { UsageError, messageOf } from "../../platform/index.js";

const closed = { additionalProperties: false } as const;

/**
 * A switch on what the service publishes: for which experiment (id, name or `*`) and kinds, under
 * which convention, spoilt how, and what `options` says of it. Later rules are laid over earlier ones.
 */
export const publishingRuleSchema = Type.Object(
  {
    experiment: Type.Optional(Type.String()),
    kinds: Type.Optional(Type.Array(Type.Enum([...kinds]))),
    dimension: Type.Optional(Type.String()),
    /** The source concerned: `""` the whole experiment, or a job's id. Default: every source. */
    source: Type.Optional(Type.String()),
    conventions: Type.Optional(conventionInputSchema),
    corruption: Type.Optional(corruptionSchema),
    /** Publish `by` times each number plus `plus`; spreads are only stretched, counts stay. Negative: the scale is turned round. Default 1 and 0. */
    rescale: Type.Optional(
      Type.Object(
        { by: Type.Optional(Type.Number({ not: { const: 0 } })), plus: Type.Optional(Type.Number()) },
        closed,
      ),
    ),
    /** Publish what is left of each number in single precision (IEEE 754 binary32). Default false. */
    single_precision: Type.Optional(Type.Boolean()),
    /** Decimals that published numbers are rounded to. Default: not rounded. */
    decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
    /** How `decimals` are reached: the nearest number, or the digits after them cut off. Default `nearest`. */
    rounding: Type.Optional(Type.Enum(["nearest", "truncate"])),
    /** `stated`: the convention truly used; `silent`: the default one whatever was used; `none`: an empty object. Default `stated`. */
    options: Type.Optional(Type.Enum(["stated", "silent", "none"])),
  },
  closed,
);

export type PublishingRule = Static<typeof publishingRuleSchema>;

const validate = new Ajv({ strict: false, discriminator: true, verbose: true }).compile<PublishingRule[]>({
  type: "array",
  items: JSON.parse(JSON.stringify(publishingRuleSchema)) as object,
});

/** Publishing rules out of anything. @throws UsageError naming the rule, the field and the value. */
export function publishingRules(value: unknown, where = "publishing"): PublishingRule[] {
  if (!validate(value)) {
    const [error] = validate.errors ?? [];
    const extra = error?.params["additionalProperty"] as string | undefined;
    const field = [error?.instancePath.slice(1).replaceAll("/", "."), extra].filter(Boolean).join(".");
    const allowed = (error?.params["allowedValues"] as string[] | undefined)?.join(", ");
    const wrong =
      extra === undefined
        ? `${error?.message ?? "is not understood"}${allowed === undefined ? "" : ` (${allowed})`}`
        : "is not known";
    const found =
      extra === undefined
        ? `, but is ${((JSON.stringify(error?.data) as string | undefined) ?? "missing").slice(0, 80)}`
        : "";
    throw new UsageError(
      `${where}: rule ${field || "list"} ${wrong}${found}; docs/emulator.md, "Publishing", says what a rule may hold.`,
    );
  }
  value.forEach((rule, number) => {
    const pattern = rule.conventions?.item_pattern ?? "";
    try {
      new RegExp(pattern, "u");
    } catch (error) {
      throw new UsageError(
        `${where}: rule ${number}.conventions.item_pattern ${JSON.stringify(pattern)} is not a regular expression (${messageOf(error)}).`,
      );
    }
  });
  return value;
}
