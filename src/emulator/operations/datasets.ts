import type { FastifyRequest } from "fastify";
import { createHmac } from "node:crypto";
import { fromBufferPromise } from "yauzl";
import { messageOf, randomHex } from "../../platform/index.js";
import {
  type Emulator,
  type Filled,
  freshIdentifier,
  instantNow,
  instantIn,
  type RequestContext,
} from "../emulator.js";
import { isSameText } from "../http/request.js";
import { denied, HttpError, json, notFound, type OutgoingResponse } from "../http/response.js";
import { type Dataset, type Project, putDataset, type StimulusFile } from "../state.js";

const uploadSeconds = 3600;
const maxZipEntries = 10_000;

/** POST dataset: a draft and the signed address for its file. */
export function createDataset(context: RequestContext): OutgoingResponse {
  const { emulator, project } = context;
  const { name, filename, retention_days } = context.body as Filled<"dataset_create">;
  const now = instantNow(emulator);
  const expires = instantIn(emulator, uploadSeconds);
  const dataset: Dataset = {
    id: freshIdentifier(emulator, (one) => project.datasets.has(one)),
    name,
    filename,
    retention_days,
    status: "draft",
    errors: [],
    date_created: now,
    date_last_used: now,
    is_deleted: false,
    stimuli: [],
    upload: { nonce: randomHex(32), expires_at: expires },
  };
  putDataset(emulator.state, project, dataset);
  const { id } = dataset;
  const { url } = emulator.address;
  const query = new URLSearchParams({ expires, signature: signatureOf(dataset) });
  return json(201, {
    id,
    name,
    upload_url: `${url}/uploads/${project.id}/${id}/file?${query.toString()}`,
    status_url: `${url}/projects/${project.id}/datasets/${id}/status/`,
  });
}

const signatureOf = ({ id, upload }: Dataset): string =>
  createHmac("sha256", upload?.nonce ?? "")
    .update(`PUT ${id} ${upload?.expires_at ?? ""}`)
    .digest("hex");

const used = (): HttpError => denied("The upload address has been used.");

/** PUT to the signed address: no API key, once, before it expires. */
export async function receiveUpload(
  emulator: Emulator,
  request: FastifyRequest,
): Promise<OutgoingResponse> {
  const { project_id, dataset_id } = request.params as { project_id: string; dataset_id: string };
  const { expires, signature = "" } = request.query as { expires?: string; signature?: string };
  const { state, clock, settings } = emulator;
  const project = state.projects.get(project_id);
  const dataset = project?.datasets.get(dataset_id);
  if (project === undefined || dataset === undefined) throw notFound("upload address");
  if (dataset.upload === null) throw used();
  if (expires !== dataset.upload.expires_at || !isSameText(signature, signatureOf(dataset)))
    throw denied("The signature of the upload address is wrong.");
  if (Date.parse(expires) <= clock.now().getTime()) throw denied("The upload address has expired.");
  const file = await received(request.raw as AsyncIterable<Buffer>, settings.uploadBytes);
  if (project.datasets.get(dataset_id)?.upload === null) throw used();
  const processing: Dataset = { ...dataset, status: "processing", upload: null };
  putDataset(state, project, processing);
  state.revision += 1;
  emulator.background.add(processUpload(emulator, project, processing, file));
  return json(200, {});
}

async function received(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limit)
      throw new HttpError(413, "payload_too_large", `The file is larger than ${limit} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Turns an uploaded file into stimuli or error messages. */
async function processUpload(
  { state }: Emulator,
  project: Project,
  dataset: Dataset,
  file: Buffer,
): Promise<void> {
  const { files, errors } = await filesIn(file);
  const first = state.counters.stimulus + 1;
  const stimuli = files.map((file, index): StimulusFile => ({
    id: first + index,
    name: file.condition,
    ...file,
  }));
  const status = errors.length > 0 ? "error" : "ready";
  putDataset(state, project, { ...dataset, status, errors: errors.slice(0, 20), stimuli });
  state.revision += 1;
}

type NamedFile = Pick<StimulusFile, "source" | "condition" | "is_reference">;

/**
 * The media files that a ZIP archive lists, or why it cannot be used: one of both is empty. Nothing
 * is unpacked; never throws.
 */
async function filesIn(archive: Buffer): Promise<{ files: NamedFile[]; errors: string[] }> {
  const files = new Map<string, NamedFile>();
  const errors: string[] = [];
  try {
    if (archive.length === 0) return { files: [], errors: ["The file is empty."] };
    const zip = await fromBufferPromise(archive, { lazyEntries: true, strictFileNames: true });
    if (zip.entryCount > maxZipEntries)
      errors.push(`The archive has ${zip.entryCount} entries; at most ${maxZipEntries} are read.`);
    else
      for await (const { fileName } of zip.eachEntry()) {
        if (!media.test(fileName) || isClutter(fileName)) continue;
        const file = namedFileOf(fileName);
        const key = `${file?.source ?? ""}/${file?.condition ?? ""}`.toLowerCase();
        if (file === null) errors.push(`${fileName}: is deeper than source/condition.`);
        else if (files.has(key))
          errors.push(`${fileName}: another file has the same folder and name.`);
        else files.set(key, file);
      }
    zip.close();
    if (files.size === 0 && errors.length === 0) errors.push("The archive holds no media files.");
  } catch (error) {
    errors.push(`The file is not a readable ZIP archive (${messageOf(error)}).`);
  }
  return { files: errors.length > 0 ? [] : [...files.values()], errors };
}

const media = new RegExp(
  "\\.(wav|flac|mp3|ogg|opus|m4a|aac|aiff?|png|jpe?g|webp|gif|bmp|tiff?|avif|mp4|webm|mov|mkv|" +
    "avi|y4m|html?|txt)$",
  "i",
);

/** Files that archivers add; they are ignored. */
const isClutter = (path: string): boolean =>
  path
    .split("/")
    .some((part) => part.startsWith(".") || part === "__MACOSX" || part === "Thumbs.db");

/**
 * Folder and file of a path as source and condition; `reference.*` is the reference. Null if the
 * path is too deep.
 */
function namedFileOf(path: string): NamedFile | null {
  const [file = "", source = "", ...more] = path.split("/").reverse();
  const condition = file.replace(/\.[^.]+$/, "");
  return more.length > 0
    ? null
    : { source, condition, is_reference: condition.toLowerCase() === "reference" };
}
