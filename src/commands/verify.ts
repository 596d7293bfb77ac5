/** `recount verify`: checks a lake or an evidence bundle, offline. */
import type { CommandModule, InferredOptionTypes } from "yargs";
import type { Shortfall } from "../lake/index.js";
import { counted, exitCodes } from "../platform/index.js";
import { conclude, isQuiet, print, printError } from "./console.js";
import { type SnapshotArguments, projectOf, reading, snapshotOptions } from "./flags.js";

type Verified = string | readonly Shortfall[];

async function verifyFile(file: string): Promise<Verified> {
  const { verifyBundle } = await import("../audit/index.js");
  const { resultLine } = await import("../report/index.js");
  const { problems, files, report } = await verifyBundle(file);
  if (!isQuiet()) for (const problem of problems) printError(`${file}: ${problem}`);
  const [first = ""] = problems;
  if (problems.length > 0 || report === null)
    return `${file}: ${counted(problems.length, "problem")}: ${first}.`;
  print(
    `${file}: ${files} files match their digests; the audit of snapshot ${report.snapshot}, ` +
      "run again, gives the same bytes.",
  );
  print(resultLine({ summary: report.summary, shortfalls: [] }));
  return report.shortfalls.filter(({ kind }) => kind === "checks");
}

async function verifyLake(args: SnapshotArguments): Promise<Verified> {
  const { lake } = args;
  const { failedChecks, readSnapshot, verifyProject } = await import("../lake/index.js");
  const { verifyText } = await import("../report/index.js");
  const report = await verifyProject(lake, await projectOf(args), args.snapshot);
  print(verifyText(report));
  const [first] = report.problems;
  if (first)
    return (
      `${lake}: ${counted(report.problems.length, "problem")}: ${first.file}: ` +
      `${first.problem}.`
    );
  return reading(args, async (project, snapshot) => {
    const { manifest, tables: sources, bytes } = await readSnapshot(lake, project, snapshot);
    if (manifest.checks) return failedChecks(manifest.checks);
    const { checkTables } = await import("../warehouse/index.js");
    return failedChecks(await checkTables({ sources, bytes }));
  });
}

const options = {
  ...snapshotOptions,
  snapshot: { type: "string", describe: "Check only this snapshot [default: all]" },
} as const;

export const command: CommandModule<
  object,
  InferredOptionTypes<typeof options> & { file: string | undefined }
> = {
  command: "verify [file]",
  describe: "Check a lake or an evidence bundle offline",
  builder: (yargs) =>
    yargs
      .positional("file", {
        type: "string",
        describe: "Evidence bundle of `recount audit --bundle` [default: check the lake]",
      })
      .options(options)
      .example("recount verify --lake lake", "Verify every snapshot of a lake")
      .example("recount verify evidence.zip", "Check an evidence bundle and run its audit again"),
  handler: async (args) => {
    const verified = args.file === undefined ? await verifyLake(args) : await verifyFile(args.file);
    if (typeof verified === "string") {
      conclude(exitCodes.export, verified);
    } else if (verified.length > 0) {
      const { notWholeLine } = await import("../report/index.js");
      print(notWholeLine(verified));
      conclude(exitCodes.inconclusive, notWholeLine(verified));
    } else {
      conclude(exitCodes.ok, "Verified.");
    }
  },
};
