import type { CommandModule, InferredOptionTypes } from "yargs";
import { counted, exitCodes } from "../platform/index.js";
import { conclude, isQuiet, print, printError } from "./console.js";
import { type SnapshotArguments, projectOf, snapshotOptions } from "./flags.js";

/** Prints what it finds, and returns it in one line if it is a problem. */
async function verifyFile(file: string): Promise<string | null> {
  const { verifyBundle } = await import("../audit/index.js");
  const { problems, files, report } = await verifyBundle(file);
  if (!isQuiet()) for (const problem of problems) printError(`${file}: ${problem}`);
  const [first = ""] = problems;
  if (problems.length > 0 || report === null) return `${file}: ${counted(problems.length, "problem")}: ${first}.`;
  const sums = Object.entries(report.summary).filter(([, n]) => n > 0);
  print(
    `${file}: ${files} files match their digests; the audit of snapshot ${report.snapshot}, run again, gives the same bytes.`,
  );
  print(`Published numbers: ${sums.map(([verdict, n]) => `${n} ${verdict.replace("_", " ")}`).join(", ") || "none"}.`);
  return null;
}

async function verifyLake({ lake, project, snapshot }: SnapshotArguments): Promise<string | null> {
  const { verifyProject } = await import("../lake/index.js");
  const { verifyText } = await import("../report/index.js");
  const report = await verifyProject(lake, await projectOf({ lake, project }), snapshot);
  print(verifyText(report));
  const [first] = report.problems;
  return first ? `${lake}: ${counted(report.problems.length, "problem")}: ${first.file}: ${first.problem}.` : null;
}

const options = {
  ...snapshotOptions,
  snapshot: { type: "string", describe: "Check only this snapshot [default: all]" },
} as const;

export const command: CommandModule<object, InferredOptionTypes<typeof options> & { file: string | undefined }> = {
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
    const problem = args.file === undefined ? await verifyLake(args) : await verifyFile(args.file);
    conclude(problem === null ? exitCodes.ok : exitCodes.export, problem ?? "Verified.");
  },
};
