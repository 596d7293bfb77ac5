import { messageOf, fsp } from "../../platform/index.js";
import type { Emulator } from "../emulator.js";
import type { Dataset, Project } from "../state/state.js";
import { readAddresses } from "./addresses.js";
import { readArchive, refused, type Contents } from "./archive.js";

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
