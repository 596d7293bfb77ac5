import { parentPort } from "node:worker_threads";
import { messageOf } from "../../platform/index.js";
import { createTailReader, type Scan, type TailReader } from "./list-scanner.js";
import type { Shape } from "./shape.js";

/** A message to the scanning worker. */
export type ScanOrder =
  | { readonly id: number; readonly order: "start"; readonly file: string; readonly shape: Shape }
  | { readonly id: number; readonly order: "advance"; readonly upTo: number }
  | { readonly id: number; readonly order: "finish"; readonly size: number }
  | { readonly id: number; readonly order: "drop" };

export type ScanAnswer = { readonly id: number; readonly scan: Scan } | { readonly id: number; readonly error: string };

const readers = new Map<number, TailReader>();

function obey(order: ScanOrder): ScanAnswer | undefined {
  const reader = readers.get(order.id);
  if (order.order === "start") readers.set(order.id, createTailReader(order.file, order.shape));
  else if (order.order === "advance") reader?.advance(order.upTo);
  else {
    readers.delete(order.id);
    if (order.order === "finish" && reader) return { id: order.id, scan: reader.finish(order.size) };
    reader?.drop();
  }
  return undefined;
}

parentPort?.on("message", (order: ScanOrder) => {
  try {
    const answer = obey(order);
    if (answer) parentPort?.postMessage(answer);
  } catch (error) {
    readers.delete(order.id);
    if (order.order === "finish")
      parentPort?.postMessage({ id: order.id, error: messageOf(error) } satisfies ScanAnswer);
  }
});
