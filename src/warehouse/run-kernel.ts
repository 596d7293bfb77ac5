import { Worker } from "node:worker_threads";
import type { Columns, Conventions, Kernel, KernelNeeds, KernelOutput } from "../metrics/index.js";
import { fs, threadFile } from "../platform/index.js";

/** What a kernel is to compute. */
export interface KernelOrder extends KernelNeeds {
  readonly name: string;
  readonly input: Columns;
  readonly conventions: Conventions;
}

/**
 * Rows of input from which a slow kernel has a thread of its own. Starting one takes 0.1 s of CPU.
 */
const manyRows = 100_000;

/** The built worker; there is none when run from sources, and everything runs in this thread. */
const workerFile = threadFile("warehouse/worker.js");

/**
 * Runs a kernel: here, or beside the engine in a thread of its own if it is slow and its input
 * large, which both threads share. The output is the same. @throws the kernel's error
 */
export async function runKernel(
  kernel: Kernel,
  order: KernelOrder,
  { worker = workerFile, many = manyRows } = {},
): Promise<KernelOutput> {
  const { input, conventions, unread } = order;
  const rows = Object.values(input)[0]?.length ?? 0;
  const isSlow = kernel.slow?.some((suffix) => !unread.includes(suffix)) === true;
  if (!isSlow || rows < many || !fs.existsSync(worker))
    return kernel.run(input, conventions, order);
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { workerData: order });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () =>
      reject(new Error(`the thread of the kernel ${order.name} ended early`)),
    );
  });
}

/** The memory of columns, to hand over instead of copying. */
export function buffersOf(
  tables: readonly Readonly<Record<string, ArrayLike<number>>>[],
): ArrayBuffer[] {
  const columns = tables.flatMap((table) => Object.values(table));
  return [
    ...new Set(
      columns.flatMap((column) =>
        ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : [],
      ),
    ),
  ];
}
