import { visit, type Scalar } from "yaml";
import { UsageError } from "../platform/index.js";
import type { YamlSource } from "./yaml-source.js";

export type Environment = Readonly<Record<string, string | undefined>>;

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` in every value of the document, in place; keys and `settled` values stay.
 * Returns the values that came from the environment: they are text, even where the schema wants another type.
 * @throws UsageError with file, line and variable when one is not set.
 */
export function substitute(
  source: YamlSource,
  env: Environment,
  settled: ReadonlySet<Scalar> = new Set(),
): Set<Scalar> {
  const replaced = new Set<Scalar>();
  visit(source.document, {
    Scalar(key, node) {
      if (key === "key" || settled.has(node) || typeof node.value !== "string" || !node.value.includes("${")) return;
      node.value = node.value.replace(reference, (_, name: string, fallback: string | undefined) => {
        const value = env[name] ?? fallback;
        if (value !== undefined) return value;
        const line = source.lineOfNode(node);
        throw new UsageError(`${source.file}, line ${line}: the environment variable ${name} is not set.`);
      });
      replaced.add(node);
    },
  });
  return replaced;
}
