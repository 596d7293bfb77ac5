/** The thread in which a slow kernel computes. */
import { parentPort, workerData } from "node:worker_threads";
import { allKernels } from "../metrics/index.js";
import { buffersOf, type KernelOrder } from "./run-kernel.js";

const order = workerData as KernelOrder;
const kernels = await allKernels();
const output = kernels[order.name]?.run(order.input, order.conventions, order) ?? {};
parentPort?.postMessage(output, buffersOf(Object.values(output)));
