import { parentPort } from "node:worker_threads";
import { messageOf } from "../../platform/index.js";
import { Follower } from "./follower.js";
import type { Answer, Order } from "./messages.js";

const followers = new Map<number, Follower>();

function obey(order: Order): Answer | undefined {
  const follower = followers.get(order.id);
  if (order.order === "start") followers.set(order.id, new Follower(order.file, order.shape));
  else if (order.order === "advance") follower?.advance(order.upTo);
  else {
    followers.delete(order.id);
    if (order.order === "finish" && follower) return { id: order.id, scan: follower.finish(order.size) };
    follower?.drop();
  }
  return undefined;
}

parentPort?.on("message", (order: Order) => {
  try {
    const answer = obey(order);
    if (answer) parentPort?.postMessage(answer);
  } catch (error) {
    followers.delete(order.id);
    if (order.order === "finish") parentPort?.postMessage({ id: order.id, error: messageOf(error) } satisfies Answer);
  }
});
