import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** What the tasks that started within a time used, of all executors. */
export interface Tasks {
  readonly cpuSeconds: number;
  readonly gcSeconds: number;
  readonly shuffleMb: number;
  readonly spilledMb: number;
  /** Of the executor that needed the most, whole process. */
  readonly peakMb: number;
  /** CPU time of the longest task. */
  readonly longestSeconds: number;
  /** How long the stages take one after the other if each executor has a core for itself and tasks cost what they cost here. */
  readonly modelSeconds: (executors: number) => number;
}

interface TaskEnd {
  readonly Event: string;
  readonly "Stage ID": number;
  readonly "Task Info": { readonly "Launch Time": number };
  readonly "Task Executor Metrics": { readonly ProcessTreeJVMRSSMemory: number };
  readonly "Task Metrics"?: {
    readonly "Executor CPU Time": number;
    readonly "Executor Deserialize CPU Time": number;
    readonly "JVM GC Time": number;
    readonly "Disk Bytes Spilled": number;
    readonly "Shuffle Write Metrics": { readonly "Shuffle Bytes Written": number };
  };
}

/** Reads the tasks of an event log. Source: https://spark.apache.org/docs/latest/monitoring.html */
export async function readTasks(folder: string, fromMs: number, toMs: number): Promise<Tasks> {
  const [log = ""] = readdirSync(folder);
  const stages = new Map<number, number[]>();
  let [gcMs, shuffleBytes, spilledBytes, peakBytes] = [0, 0, 0, 0];
  for await (const line of createInterface({ input: createReadStream(join(folder, log)) })) {
    if (!line.includes('"SparkListenerTaskEnd"')) continue;
    const task = JSON.parse(line) as TaskEnd;
    const launchedMs = task["Task Info"]["Launch Time"];
    const metrics = task["Task Metrics"];
    if (metrics === undefined || launchedMs < fromMs || launchedMs > toMs) continue;
    const cpu = (metrics["Executor CPU Time"] + metrics["Executor Deserialize CPU Time"]) / 1e9;
    stages.set(task["Stage ID"], [...(stages.get(task["Stage ID"]) ?? []), cpu]);
    gcMs += metrics["JVM GC Time"];
    shuffleBytes += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"];
    spilledBytes += metrics["Disk Bytes Spilled"];
    peakBytes = Math.max(peakBytes, task["Task Executor Metrics"].ProcessTreeJVMRSSMemory);
  }
  const all = [...stages.values()].flat();
  return {
    cpuSeconds: all.reduce((sum, cpu) => sum + cpu, 0),
    gcSeconds: gcMs / 1000,
    shuffleMb: shuffleBytes / 1e6,
    spilledMb: spilledBytes / 1e6,
    peakMb: peakBytes / 1e6,
    longestSeconds: Math.max(0, ...all),
    modelSeconds: (executors) =>
      [...stages.values()].reduce((sum, cpus) => sum + makespan(cpus, executors), 0),
  };
}

/** When the last of the tasks ends, if each goes to the executor that is free first, the longest first. */
function makespan(cpus: readonly number[], executors: number): number {
  const busy = new Array<number>(executors).fill(0);
  for (const cpu of [...cpus].sort((x, y) => y - x)) {
    const free = busy.indexOf(Math.min(...busy));
    busy[free] = (busy[free] ?? 0) + cpu;
  }
  return Math.max(...busy);
}
