import { isDeepStrictEqual } from "node:util";
import type { Round } from "../../lake/index.js";
import { settings, UsageError, version } from "../../platform/index.js";
import { termsOf } from "../context.js";
import type { ExportOptions } from "../options.js";
import type { Worker } from "../worker.js";

/** What a person calls the settings of a round. */
const names: Readonly<Record<string, string>> = {
  recount: "version of Recount",
  service: "--base-url",
  selection: "--id, --name or --type",
  tables: "--table",
  sources: "--sources",
  keepRaw: "--raw",
  maskSecrets: "--mask-secrets",
  organization: "--organization or --billing",
  pseudonyms: "--pseudonymise or its key",
};

/** The settings that all workers of a round must have. */
export function termsOfRound(options: ExportOptions, { of }: Worker): Round["terms"] {
  const { service, selection, tables, sources, maskSecrets } = termsOf(options);
  const { keepRaw = settings.keep_raw.default, organization = null } = options;
  return {
    ...{ workers: of, recount: version, service, selection, tables, sources, keepRaw, maskSecrets, organization },
    pseudonyms: options.pseudonyms?.keyId ?? null,
  };
}

/** @throws UsageError that names each setting in which a worker differs from the first one of its round */
export function checkAgreement(round: string, first: Round["terms"], own: Round["terms"]): void {
  const differing = Object.keys({ ...first, ...own }).filter((key) => !isDeepStrictEqual(first[key], own[key]));
  if (differing.length === 0) return;
  const named = differing.map((key) =>
    key === "workers"
      ? `number of workers (${String(first.workers)}, here ${String(own.workers)})`
      : (names[key] ?? key),
  );
  throw new UsageError(
    `The first worker of round ${round} has other settings: ${named.join("; ")}. Start all its workers with the same, or another round with --round.`,
  );
}
