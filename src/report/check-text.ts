import type { ExitCode } from "../platform/index.js";

export interface CheckLine {
  readonly project: string | null;
  readonly name: string;
  readonly exit_code: ExitCode;
  readonly detail: string;
}

/** A line for each check; on a terminal with a sign in place of a word. */
export function checkText(checks: readonly CheckLine[], isTerminal: boolean): string {
  const [good, bad] = isTerminal ? ["✓", "✗"] : ["ok    ", "failed"];
  const isMany = new Set(checks.flatMap(({ project }) => project ?? [])).size > 1;
  return checks
    .map(({ project, name, exit_code, detail }) => {
      const where = isMany && project !== null ? `${project}, ` : "";
      return `${exit_code === 0 ? good : bad} ${where}${name}: ${detail.replace(/\.$/, "")}`;
    })
    .join("\n");
}
