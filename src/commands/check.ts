/** `recount check`: checks everything that a run needs, without exporting. */
import type { CommandModule, InferredOptionTypes } from "yargs";
import type { Check } from "../pipeline/index.js";
import { exitCodes, worstExitCode } from "../platform/index.js";
import { connectionOptions } from "./connection.js";
import { conclude, print } from "./console.js";
import { failureOf } from "./failure.js";
import { connectWith, lakeFlag, readPlan, type PlanArguments } from "./run.js";
import { jsonOption } from "./flags.js";

const options = {
  ...connectionOptions,
  ...lakeFlag,
  ...jsonOption,
} as const;

export const command: CommandModule<
  object,
  InferredOptionTypes<typeof options> & { file: string }
> = {
  command: "check <file>",
  describe: "Check everything that a run of a pipeline file needs, without exporting or writing",
  builder: (yargs) =>
    yargs
      .positional("file", { type: "string", demandOption: true, describe: "Pipeline file, YAML" })
      .options(options)
      .example(
        "recount check pipelines/nightly.yaml",
        "The exit code is that of the run that would fail",
      ),
  handler: async (args) => {
    const { checkText } = await import("../report/index.js");
    const checks = await projectChecks(args);
    print(args.json ? JSON.stringify(checks, null, 2) : checkText(checks, process.stdout.isTTY));
    const failed = checks.filter(({ exit_code }) => exit_code !== exitCodes.ok);
    const line = failed.map(({ name, detail }) => `${name}: ${detail}`).join(" ");
    conclude(
      worstExitCode(checks.map(({ exit_code }) => exit_code)),
      line || "A run has everything it needs.",
    );
  },
};

/** @throws UsageError for a pipeline file that is not valid, as `recount run` does. */
async function projectChecks(args: PlanArguments): Promise<Check[]> {
  const { checkProject } = await import("../pipeline/index.js");
  const { projects } = (await readPlan(args, process.env)).plan;
  const valid = {
    project: null,
    name: "pipeline",
    exit_code: exitCodes.ok,
    detail: `${args.file} is valid`,
  };
  const context = { connect: connectWith(args, process.env), failureOf };
  const checks: Check[] = [valid];
  for (const settings of projects) checks.push(...(await checkProject(settings, context)));
  return checks;
}
