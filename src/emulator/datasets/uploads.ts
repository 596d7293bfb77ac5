import type { FastifyInstance, FastifyRequest } from "fastify";
import { createHmac, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fsp, fsyncDir, makeDir, messageOf, randomHex } from "../../platform/index.js";
import { type Emulator, type Filled, freshIdentifier, instant, instantIn, type RequestContext } from "../emulator.js";
import { conflict, HttpError, json, notFound, type OutgoingResponse } from "../http/response.js";
import { send } from "../http/send.js";
import type { Dataset, Project } from "../state/state.js";
import { type Contents, readAddresses, readArchive, refused } from "./files.js";

/** Turns an uploaded file into stimuli or error messages, and deletes it. */
export async function processUpload(
  emulator: Emulator,
  project: Project,
  dataset: Dataset,
  path: string,
): Promise<void> {
  const contents = await contentsOf(emulator, path).catch((error: unknown) =>
    refused(`The file cannot be read (${messageOf(error)}).`),
  );
  const status = contents.errors.length > 0 ? "error" : "ready";
  const { store } = emulator;
  await store.inTurn(() => {
    const first = store.state.counters.stimulus;
    const stimuli = contents.stimuli.map((one, index) => ({ id: first + index + 1, name: one.condition, ...one }));
    const value: Dataset = { ...dataset, status, errors: contents.errors, stimuli };
    return store.commit([{ set: "dataset", project: project.id, value }]);
  });
  await fsp.rm(path, { force: true });
  emulator.webhooks.send(project, `dataset.${status}`, { dataset_id: dataset.id });
}

async function contentsOf({ settings }: Emulator, path: string): Promise<Contents> {
  const handle = await fsp.open(path, "r");
  const head = Buffer.alloc(4096);
  const { bytesRead } = await handle.read(head, 0, head.length, 0).finally(() => handle.close());
  const { size } = await fsp.stat(path);
  if (size === 0) return refused("The file is empty.");
  const isText = !head.subarray(0, bytesRead).includes(0) && !head.subarray(0, 2).equals(Buffer.from("PK"));
  return isText && /^\s*https?:\/\//.test(head.toString("utf8", 0, bytesRead))
    ? readAddresses(path, size, settings.limits)
    : readArchive(path, size, settings.limits);
}

const sign = (nonce: string, id: string, expires: string): string =>
  createHmac("sha256", nonce).update(`PUT ${id} ${expires}`).digest("hex");

/** The signed address for one PUT of a dataset file, without an API key. After a final slash `curl -T` adds a name. */
export function uploadUrl(base: string, project: string, { id, upload }: Dataset): string {
  const { nonce = "", expires_at: expires = "" } = upload ?? {};
  return `${base}/uploads/${project}/${id}/file?expires=${encodeURIComponent(expires)}&signature=${sign(nonce, id, expires)}`;
}

/** Whether the emulator signed an upload address. */
function isSigned({ id, upload }: Dataset, query: { expires?: string; signature?: string }): boolean {
  if (upload === null || query.expires !== upload.expires_at) return false;
  const [own, given] = [Buffer.from(sign(upload.nonce, id, upload.expires_at)), Buffer.from(query.signature ?? "")];
  return own.length === given.length && timingSafeEqual(own, given);
}

const denied = (detail: string): HttpError => new HttpError(403, "permission_denied", detail);

/** PUT to the signed address: no API key, once, before it expires. */
export function addUploadRoute(app: FastifyInstance, emulator: Emulator): void {
  const underWay = new Set<string>();
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, parsed) => {
      parsed(null);
    });
    scope.put(
      "/uploads/:project_id/:dataset_id/file",
      { bodyLimit: emulator.settings.limits.fileBytes },
      (request, reply) => send(emulator, request, reply, "upload", () => receive(emulator, request, underWay)),
    );
    done();
  });
}

async function receive(emulator: Emulator, request: FastifyRequest, underWay: Set<string>): Promise<OutgoingResponse> {
  const { project_id, dataset_id } = request.params as { project_id: string; dataset_id: string };
  const project = emulator.store.state.projects.get(project_id);
  const dataset = project?.datasets.get(dataset_id);
  if (project === undefined || dataset === undefined) throw notFound("upload address");
  if (dataset.upload === null) throw denied("The upload address has been used.");
  if (!isSigned(dataset, request.query as { expires?: string; signature?: string }))
    throw denied("The signature of the upload address is wrong.");
  if (Date.parse(dataset.upload.expires_at) <= emulator.clock.now().getTime())
    throw denied("The upload address has expired.");
  if (underWay.has(dataset_id)) throw conflict("An upload to this address is in progress.");
  underWay.add(dataset_id);
  try {
    return await store(emulator, project, dataset, request.raw);
  } finally {
    underWay.delete(dataset_id);
  }
}

async function store(
  emulator: Emulator,
  project: Project,
  dataset: Dataset,
  body: Readable,
): Promise<OutgoingResponse> {
  const folder = emulator.settings.uploadFolder;
  await makeDir(folder);
  const path = join(folder, dataset.id);
  try {
    await spool(path, body, emulator.settings.limits.fileBytes);
    await fsyncDir(folder);
  } catch (error) {
    await fsp.rm(path, { force: true });
    throw error;
  }
  const processing: Dataset = { ...dataset, status: "processing", upload: null };
  await emulator.store.commit([{ set: "dataset", project: project.id, value: processing }]);
  emulator.background.add(processUpload(emulator, project, processing, path));
  return json(200, {});
}

async function spool(path: string, body: Readable, limit: number): Promise<void> {
  const file = await fsp.open(path, "w", 0o600);
  let size = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > limit) throw new HttpError(413, "payload_too_large", `The file is larger than ${limit} bytes.`);
      await file.write(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

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
