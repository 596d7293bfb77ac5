export { diffSnapshots, type SnapshotDiff, type TableDiff, type NumberDiff } from "./diff-snapshots.js";
