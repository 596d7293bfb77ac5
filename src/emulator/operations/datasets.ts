import { json, type OutgoingResponse } from "../http/outgoing.js";
import { randomHex } from "../../platform/index.js";
import { uploadUrl } from "../datasets/upload.js";
import { freshIdentifier, instant, instantIn } from "../emulator.js";
import type { Dataset } from "../state/state.js";
import type { Filled, RequestContext } from "./context.js";

/** POST dataset: a draft and the signed address for its file. */
export async function createDataset(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator, project } = context;
  const { name, filename, retention_days } = context.body as Filled<"dataset_create">;
  const now = instant(emulator);
  const dataset: Dataset = {
    id: freshIdentifier(emulator, (one) => project.datasets.has(one)),
    ...{ name, filename, retention_days, status: "draft", errors: [] },
    ...{ date_created: now, date_last_used: now, is_deleted: false, stimuli: [] },
    upload: { nonce: randomHex(32), expires_at: instantIn(emulator, emulator.settings.uploadSeconds) },
  };
  await emulator.store.commit([{ set: "dataset", project: project.id, value: dataset }]);
  const { id } = dataset;
  return json(201, {
    id,
    name,
    upload_url: uploadUrl(emulator.address.url, project.id, dataset),
    status_url: `${emulator.address.url}/projects/${project.id}/datasets/${id}/status/`,
  });
}
