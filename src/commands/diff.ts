/** `recount diff`: compares two snapshots, or two ways to compute one. */
import type { CommandModule, InferredOptionTypes } from "yargs";
import { UsageError } from "../platform/index.js";
import { consoleWidth, print } from "./console.js";
import { methodOption, projectOf, snapshotOptions } from "./flags.js";

/** Rows and numbers of each table that the console shows. */
const shownRows = 5;

const options = {
  lake: snapshotOptions.lake,
  project: snapshotOptions.project,
  json: { type: "boolean", default: false, describe: "Print JSON, with every number" },
  rule: {
    type: "string",
    describe:
      "Compare one snapshot, by default the newest, with itself under this convention, name=value",
  },
  ...methodOption,
} as const;

export const command: CommandModule<
  object,
  InferredOptionTypes<typeof options> & { before: string | undefined; after: string | undefined }
> = {
  command: "diff [before] [after]",
  describe: "Compare two snapshots: rows by key, published results, recomputed numbers and ranks",
  builder: (yargs) =>
    yargs
      .positional("before", {
        type: "string",
        describe: "Earlier snapshot [default: the previous one]",
      })
      .positional("after", { type: "string", describe: "Later snapshot [default: the newest]" })
      .options(options)
      .example("recount diff --lake lake", "Compare the newest two snapshots")
      .example(
        "recount diff --lake lake --rule incorrect=exclude_raters",
        "Show what changes without the raters who fail control ratings",
      ),
  handler: async ({ lake, project, before, after, json, pipeline, rule }) => {
    const { diffMethods, diffSnapshots } = await import("../changes/index.js");
    const { readMethod, withConventions } = await import("../pipeline/index.js");
    const { renderDiff, renderMethodDiff } = await import("../report/index.js");
    const chosen = await projectOf({ lake, project });
    const { conventions, shapes, records } = await readMethod(pipeline, chosen, process.env);
    if (rule !== undefined) {
      if (after !== undefined) throw new UsageError("--rule compares one snapshot: name only one.");
      const ruled = await withConventions(conventions, `--rule ${rule}`, conventionText(rule));
      const diff = await diffMethods(lake, chosen, before, { before: conventions, after: ruled });
      print(
        json
          ? JSON.stringify(diff, null, 2)
          : renderMethodDiff(diff, rule, shownRows, consoleWidth()),
      );
      return;
    }
    const diff = await diffSnapshots(lake, chosen, { before, after, conventions, shapes, records });
    const asText = (_: string, value: unknown) =>
      typeof value === "bigint" ? String(value) : value;
    print(json ? JSON.stringify(diff, asText, 2) : renderDiff(diff, shownRows, consoleWidth()));
  },
};

/** @param rule `name=value`, the value as in a pipeline file */
function conventionText(rule: string): string {
  const at = rule.indexOf("=");
  if (at < 1)
    throw new UsageError(
      `--rule ${rule} must be name=value, for example --rule incorrect=exclude_raters.`,
    );
  return `conventions:\n  ${rule.slice(0, at)}: ${rule.slice(at + 1)}\n`;
}
