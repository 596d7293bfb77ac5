import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type ClientOptions } from "../../src/client/index.js";
import { exportSnapshot, type ExportOptions, type ExportReport } from "../../src/extract/index.js";
import type { Log } from "../../src/platform/log.js";
import type { Clock } from "../../src/platform/index.js";

export const temporaryLake = (): string => mkdtempSync(join(tmpdir(), "recount-lake-"));

export interface Served {
  readonly url: string;
  readonly projectId: string;
  readonly apiKey: string;
}

export async function exportTo(
  lake: string,
  service: Served,
  options: Partial<ExportOptions> & {
    log?: Log;
    clock?: Clock;
    retry?: ClientOptions["retry"];
  } = {},
): Promise<ExportReport> {
  const { log, clock, retry, ...rest } = options;
  const client = createClient({
    baseUrl: service.url,
    credentials: { scheme: "api-key", key: service.apiKey },
    ...(retry ? { retry } : {}),
  });
  try {
    return await exportSnapshot(
      { client, projectId: service.projectId, lake, ...rest },
      { ...(log && { log }), ...(clock && { clock }) },
    );
  } finally {
    await client.close();
  }
}
