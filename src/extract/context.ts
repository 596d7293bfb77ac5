// The state that all steps of one export share.
import { createAdaptiveLimit, type AdaptiveLimit, type Client } from "../client/index.js";
import { defaultTables } from "../contract/index.js";
import { bodiesOf, layoutOf, manifestFormat, type LakeStore } from "../lake/index.js";
import { choices, settings, UsageError, type Clock, type Log } from "../platform/index.js";
import type { Checkpoint, ExportTerms } from "./checkpoint.js";
import { createRawKeeper, keepNoBodies, type RawKeeper } from "./kept-bodies.js";
import {
  createProgress,
  everything,
  type ExportEffects,
  type ExportOptions,
  type Progress,
} from "./options.js";
import { converterId, type PartContext, createSessionPool } from "./part.js";
import { withParents, type Wanted } from "./plan.js";
import { openPreviousSnapshot } from "./previous-snapshot.js";

export interface ExportContext extends PartContext, Wanted {
  readonly client: Client;
  readonly projectId: string;
  readonly raw: RawKeeper;
  readonly requests: AdaptiveLimit;
  readonly ending: AbortController;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  readonly maskSecrets: boolean;
  /** By request: what asked first for the published numbers of a source. */
  readonly owners: Map<string, string>;
}

/** Under pseudonyms none are kept: bodies are as the service sent them. */
const keepsRaw = ({ keepRaw = settings.keep_raw.default, pseudonyms }: ExportOptions) =>
  keepRaw && pseudonyms === undefined;

/** What decides what an export reads and how, each with its default. */
export function termsOf(options: ExportOptions) {
  const {
    client,
    selection = everything,
    tables = defaultTables,
    sources = choices.sources.default,
  } = options;
  return {
    service: client.address,
    selection,
    tables,
    sources,
    format: manifestFormat,
    keepRaw: keepsRaw(options),
    maskSecrets: options.maskSecrets ?? settings.mask_secrets.default,
    converter: converterId(options.pseudonyms),
  } satisfies ExportTerms;
}

/** A lake has originals or pseudonyms of one key: mixed, they would tell who is who. */
export function checkPseudonyms({
  store,
  previous,
  projectId,
  pseudonyms,
}: Pick<ExportContext, "store" | "previous" | "projectId" | "pseudonyms">): void {
  const before = previous.manifest;
  if (before === null || before.pseudonyms === pseudonyms?.keyId) return;
  const has =
    before.pseudonyms === undefined
      ? "the original identifiers: pseudonyms need another lake"
      : `pseudonyms of the key ${before.pseudonyms}: pseudonymise with that key, or use ` +
        "another lake";
  throw new UsageError(`${store.locate(layoutOf(projectId).project)} has ${has}.`);
}

export async function openContext(
  store: LakeStore,
  checkpoint: Checkpoint,
  options: ExportOptions,
  { clock, log, onProgress }: Required<ExportEffects>,
): Promise<ExportContext & { close(): Promise<void> }> {
  const { client, projectId, lake, pseudonyms } = options;
  const { concurrency = settings.concurrency.default } = options;
  const terms = termsOf(options);
  const previous = await openPreviousSnapshot(store, lake, projectId, terms, log);
  const recorded = previous.manifest?.raw ?? [];
  const raw = terms.keepRaw
    ? createRawKeeper(store, {
        projectId,
        scratch: checkpoint.scratch,
        recorded,
        ...bodiesOf(store, projectId, checkpoint),
      })
    : keepNoBodies;
  const requests = createAdaptiveLimit(concurrency, clock);
  const sessions = createSessionPool(checkpoint.scratch, { pseudonyms, lake });
  const ending = new AbortController();
  const progress = createProgress(onProgress);
  const tools = {
    client,
    store,
    checkpoint,
    previous,
    raw,
    requests,
    sessions,
    ending,
    clock,
    log,
    progress,
  };
  return {
    ...terms,
    ...tools,
    redact: client.redact,
    projectId,
    tables: withParents(terms.tables),
    owners: new Map(),
    pseudonyms,
    async close() {
      ending.abort();
      await requests.end();
      await sessions.close();
      await raw.close();
    },
  };
}
