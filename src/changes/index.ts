/** Compares two snapshots, or two methods over one, side by side; the engine loads on first use. */
export type { MethodDiff, NumberDiff, SnapshotDiff, TableDiff } from "./diff.js";
export type { PublishedDiff } from "./republished.js";

export const diffSnapshots: typeof import("./diff.js").diffSnapshots = async (...args) =>
  (await import("./diff.js")).diffSnapshots(...args);

export const diffMethods: typeof import("./diff.js").diffMethods = async (...args) =>
  (await import("./diff.js")).diffMethods(...args);

export const republishedSince: typeof import("./republished.js").republishedSince = async (
  ...args
) => (await import("./republished.js")).republishedSince(...args);
