// Datasets: creating one, and the upload of its file.
import type { FastifyRequest } from "fastify";
import { randomHex } from "../../platform/index.js";
import {
  type Emulator,
  type Filled,
  newIdentifier,
  instantNow,
  instantIn,
  type RequestContext,
} from "../emulator.js";
import { denied, json, notFound, type OutgoingResponse } from "../http/response.js";
import { type Dataset, putDataset, type StimulusFile } from "../state.js";

const uploadSeconds = 3600;

export function createDataset(context: RequestContext): OutgoingResponse {
  const { emulator, project } = context;
  const { name, filename, retention_days } = context.body as Filled<"dataset_create">;
  const now = instantNow(emulator);
  const signature = randomHex(32);
  const dataset: Dataset = {
    id: newIdentifier(emulator),
    name,
    filename,
    retention_days,
    status: "draft",
    errors: [],
    date_created: now,
    date_last_used: now,
    is_deleted: false,
    stimuli: [],
    upload: { signature, expires_at: instantIn(emulator, uploadSeconds) },
  };
  putDataset(emulator.state, project, dataset);
  const { id } = dataset;
  const { url } = emulator.address;
  return json(201, {
    id,
    name,
    upload_url: `${url}/uploads/${project.id}/${id}/file?signature=${signature}`,
    status_url: `${url}/projects/${project.id}/datasets/${id}/status/`,
  });
}

/** No API key; once, before it expires. The file itself is not kept. */
export async function receiveUpload(
  { state, clock }: Emulator,
  request: FastifyRequest,
): Promise<OutgoingResponse> {
  const { project_id, dataset_id } = request.params as { project_id: string; dataset_id: string };
  const { signature } = request.query as { signature?: string };
  const project = state.projects.get(project_id);
  const dataset = project?.datasets.get(dataset_id);
  if (project === undefined || dataset === undefined) throw notFound("upload address");
  if (dataset.upload === null) throw denied("The upload address has been used.");
  if (signature !== dataset.upload.signature)
    throw denied("The signature of the upload address is wrong.");
  if (Date.parse(dataset.upload.expires_at) <= clock.now().getTime())
    throw denied("The upload address has expired.");
  let bytes = 0;
  for await (const piece of request.raw as AsyncIterable<Buffer>) bytes += piece.length;
  const uploaded: Dataset = { ...dataset, upload: null };
  putDataset(
    state,
    project,
    bytes === 0
      ? { ...uploaded, status: "error", errors: ["The file is empty."] }
      : { ...uploaded, status: "ready", stimuli: uploadedStimuli(state.counters.stimulus + 1) },
  );
  state.revision += 1;
  return json(200, {});
}

/** The content of the file is not read. Numbered from `first`. */
const uploadedStimuli = (first: number): StimulusFile[] =>
  ["speech", "music"]
    .flatMap((source) =>
      ["reference", "a", "b", "c"].map((condition) => ({
        source,
        condition,
        name: condition,
        is_reference: condition === "reference",
      })),
    )
    .map((file, index) => ({ id: first + index, ...file }));
