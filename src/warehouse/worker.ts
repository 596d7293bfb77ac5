import { parentPort, workerData } from "node:worker_threads";
import { kernels } from "../metrics/index.js";
import { buffersOf, type FromThread, type KernelOrder } from "./run-kernel.js";

const order = workerData as KernelOrder;
const output = kernels[order.name]?.run(order.input, order.conventions, order) ?? {};
parentPort?.postMessage({ output, used: order.kept?.used } satisfies FromThread, buffersOf(Object.values(output)));
