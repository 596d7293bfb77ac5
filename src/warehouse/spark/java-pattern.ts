import { UsageError } from "../../platform/index.js";

/** The parts of a regular expression that mean the same in RE2, which DuckDB uses, and in Java, with how Java writes them. */
const outside: readonly (readonly [RegExp, string | null])[] = [
  [/^\\[dDwWtnrf]/, null],
  [/^\\[^A-Za-z0-9\s]/, null],
  [/^\\s/, "[\\t\\n\\f\\r ]"],
  [/^\\S/, "[^\\t\\n\\f\\r ]"],
  [/^\(\?P?<(?=[A-Za-z][A-Za-z0-9]*>)/, "(?<"],
  [/^\(\?:|^\((?!\?)/, null],
  [/^[*+?]\??|^\{\d+(?:,\d*)?\}\??/, null],
  // Java's `$` also matches before a last newline.
  [/^\$/, "\\z"],
  [/^[^\\[{(*+?$]/, null],
];
const inside = /^\[\^?(?:\\[dwtnrf]|\\[^A-Za-z0-9\s]|(?!&&)[^\\[\]])+\]/;

/**
 * A pattern that DuckDB accepts, for Java. @throws UsageError for what the two read differently
 */
export function javaPattern(pattern: string): string {
  // Only a newline ends a line.
  let java = "(?d)";
  for (let rest = pattern; rest !== "";) {
    const found = [[inside, null] as const, ...outside].find(([part]) => part.test(rest));
    const [token] = found?.[0].exec(rest) ?? [];
    if (found === undefined || token === undefined)
      throw new UsageError(
        `conventions.item_pattern: Spark may read ${rest.slice(0, 12)} of ${pattern} differently. ` +
          "Write it with groups, classes such as [a-z] and repetitions only, or run without --engine spark.",
      );
    java += found[1] ?? token;
    rest = rest.slice(token.length);
  }
  return java;
}
