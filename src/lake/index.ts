export { digestOf } from "./digest.js";
export {
  diffManifests,
  pruneSnapshots,
  summariseSnapshots,
  type PartDifference,
  type PruneReport,
  type SnapshotDifference,
  type SnapshotSummary,
} from "./history.js";
export { layoutOf, manifestName, partPath, type Layout } from "./layout.js";
export { lockProject, type Lock } from "./lock.js";
export type {
  ExperimentState,
  Manifest,
  ManifestExperiment,
  Part,
  RawBody,
  Reader,
  Tombstone,
  Unit,
  UnitState,
} from "./manifest.js";
export { areSound, filesOfPart } from "./part-files.js";
export { publish } from "./publish.js";
export {
  chooseProject,
  currentSnapshot,
  listProjects,
  listSnapshots,
  openSnapshot,
  type Snapshot,
  type TableFiles,
} from "./snapshot.js";
export { manifestText } from "./manifest-text.js";
export type { Problem } from "./verify/problem.js";
export { unpackedDigest } from "./verify/raw.js";
export { verifyProject, type VerifyReport } from "./verify/verify.js";
