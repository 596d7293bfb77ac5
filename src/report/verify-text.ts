import { counted } from "../platform/index.js";
import { byteText } from "./export-line.js";

export interface VerifySummary {
  readonly snapshots: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
  /** What interrupted runs left. */
  readonly leftovers: readonly string[];
}

/** One line per problem, what interrupted runs left, then what was verified. */
export function verifyText({ snapshots, files, bytes, problems, leftovers }: VerifySummary): string {
  const looked = `${counted(snapshots.length, "snapshot")}, ${counted(files, "file")}, ${byteText(bytes)}`;
  const said = problems.map(({ file, problem }) => `${file}: ${problem}`);
  const end =
    problems.length === 0
      ? `Verified ${looked}: all files match their digests.`
      : `Verified ${looked}: ${counted(problems.length, "problem")}.`;
  const [first = "", ...others] = leftovers;
  const which = others.length === 0 ? `${first} is` : `${first} and ${others.length} more files or folders are`;
  const left =
    leftovers.length === 0
      ? []
      : [
          `${which} part of no snapshot; the next \`recount snapshots prune\` cleans up, after a migration \`recount migrate\`.`,
        ];
  return [...said, ...left, end].join("\n");
}
