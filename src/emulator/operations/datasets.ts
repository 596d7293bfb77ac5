import { json, type OutgoingResponse } from "../http/outgoing.js";
import { randomHex } from "../../platform/index.js";
import { uploadUrl } from "../datasets/upload.js";
import { freshIdentifier, instant, instantIn } from "../emulator.js";
import type { Dataset } from "../state/state.js";
import type { RequestContext } from "./context.js";

/** POST dataset: a draft and the signed address for its file. */
export async function createDataset({ emulator, project, body }: RequestContext): Promise<OutgoingResponse> {
  const now = instant(emulator);
  const dataset: Dataset = {
    id: freshIdentifier(emulator, (one) => project.datasets.has(one)),
    name: String(body.name),
    filename: String(body.filename),
    status: "draft",
    errors: [],
    retention_days: typeof body.retention_days === "number" ? body.retention_days : -1,
    ...{ date_created: now, date_last_used: now, is_deleted: false, stimuli: [] },
    upload: { nonce: randomHex(32), expires_at: instantIn(emulator, emulator.settings.uploadSeconds) },
  };
  await emulator.store.commit([{ set: "dataset", project: project.id, value: dataset }]);
  const { id, name } = dataset;
  return json(201, {
    id,
    name,
    upload_url: uploadUrl(emulator.address.url, project.id, dataset),
    status_url: `${emulator.address.url}/projects/${project.id}/datasets/${id}/status/`,
  });
}
