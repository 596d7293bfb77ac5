import { parentPort, workerData } from "node:worker_threads";
import { kernels } from "./index.js";
import { buffersOf, type KernelOrder } from "./run-kernel.js";

const { name, input, conventions, unread } = workerData as KernelOrder;
const output = kernels[name]?.run(input, conventions, unread) ?? {};
parentPort?.postMessage(output, buffersOf(Object.values(output)));
