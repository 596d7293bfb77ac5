import { byteText } from "./export-line.js";

export interface VerifySummary {
  readonly snapshots: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
}

/** One line per problem, then what was verified. */
export function verifyText({ snapshots, files, bytes, problems }: VerifySummary): string {
  const looked = `${snapshots.length} snapshot${snapshots.length === 1 ? "" : "s"}, ${files} files, ${byteText(bytes)}`;
  const said = problems.map(({ file, problem }) => `${file}: ${problem}`);
  const end =
    problems.length === 0
      ? `Verified ${looked}: all files match their digests.`
      : `Verified ${looked}: ${problems.length} corrupted.`;
  return [...said, end].join("\n");
}
