import { Ajv } from "ajv";
import { UsageError, messageOf } from "../../platform/index.js";
import { publishingRuleSchema, type PublishingRule } from "./rule.js";

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
      `${where}: rule ${field || "list"} ${wrong}${found}; docs/service.md, "Publishing", says what a rule may hold.`,
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
