import { settings, UsageError } from "../platform/index.js";
import type { Pseudonyms } from "../warehouse/index.js";
import { keyFrom, secretOf } from "./connection.js";
import { flagFor } from "./flags.js";

/** Flags of the commands that can write pseudonyms. The key is never an argument. */
export const pseudonymOptions = {
  pseudonymise: flagFor("pseudonymise", settings.pseudonymise),
  "pseudonym-key-file": {
    type: "string",
    describe: "File with the key of the pseudonyms [env RECOUNT_PSEUDONYM_KEY: the key itself]",
    implies: "pseudonymise",
  },
} as const;

export interface PseudonymArguments {
  pseudonymise: boolean;
  "pseudonym-key-file": string | undefined;
}

/** The pseudonyms of the key in a file, else of that in the environment. @throws UsageError if there is none. */
export async function pseudonymsOf(
  file: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Pseudonyms> {
  const { createPseudonyms } = await import("../warehouse/index.js");
  const from = file === undefined ? "RECOUNT_PSEUDONYM_KEY" : `The key file ${file}`;
  const key = secretOf(
    file === undefined ? (env.RECOUNT_PSEUDONYM_KEY ?? "") : keyFrom(file, "--pseudonym-key-file"),
    from,
  );
  if (key === "")
    throw new UsageError(`No key for pseudonyms: set RECOUNT_PSEUDONYM_KEY or pass --pseudonym-key-file.`);
  return createPseudonyms(key, from);
}
