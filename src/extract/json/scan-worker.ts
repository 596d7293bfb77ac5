import { parentPort } from "node:worker_threads";
import { messageOf } from "../../platform/index.js";
import { TailReader } from "./tail-reader.js";
import type { Answer, Order } from "./messages.js";

const readers = new Map<number, TailReader>();

function obey(order: Order): Answer | undefined {
  const reader = readers.get(order.id);
  if (order.order === "start") readers.set(order.id, new TailReader(order.file, order.shape));
  else if (order.order === "advance") reader?.advance(order.upTo);
  else {
    readers.delete(order.id);
    if (order.order === "finish" && reader) return { id: order.id, scan: reader.finish(order.size) };
    reader?.drop();
  }
  return undefined;
}

parentPort?.on("message", (order: Order) => {
  try {
    const answer = obey(order);
    if (answer) parentPort?.postMessage(answer);
  } catch (error) {
    readers.delete(order.id);
    if (order.order === "finish") parentPort?.postMessage({ id: order.id, error: messageOf(error) } satisfies Answer);
  }
});
