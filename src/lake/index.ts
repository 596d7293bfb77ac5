/** Lakes: the store of files, and reading, publishing, verifying and pruning snapshots. */
export { batchesOf, groupedExperiments, groupsWith } from "./groups.js";
export {
  diffManifests,
  partsByPlace,
  summariseSnapshots,
  type SnapshotSummary,
} from "./history.js";
export {
  foldersAbove,
  keptBodiesFolder,
  layoutOf,
  manifestName,
  places,
  rawName,
  type Layout,
} from "./layout.js";
export {
  manifestFormat,
  type ExperimentState,
  type Imported,
  type Manifest,
  type ManifestExperiment,
  type Misidentified,
  type Part,
  type RawBody,
  type Reader,
  type Tombstone,
  type Unit,
  type Listing,
} from "./manifest-schema.js";
export {
  columnsWritten,
  filesService,
  manifestText,
  manifestUnder,
  unnamedFile,
} from "./manifest.js";
export { keepResult, keptKey, recall, recalled, type KeptFolder } from "./kept-results.js";
export { inputsOf } from "./inputs.js";
export { lockProject, openStore } from "./snapshot.js";
export { areIntact, bodiesOf, bodyKey, filesOf, fileKey, renamedExperiments } from "./manifest.js";
export { pruneSnapshots, type Pruning } from "./prune.js";
export { publish } from "./snapshot.js";
export { defaultRetention, type Retention } from "./prune.js";
export {
  lastSuccess,
  noteRun,
  projectsWithRuns,
  readRuns,
  runsBefore,
  type NoticeState,
  type RunLine,
} from "./runs.js";
export {
  failedChecks,
  quarantinedText,
  shortfallKinds,
  shortfallsOf,
  shortfallText,
  type Shortfall,
} from "./shortfalls.js";
export {
  chooseProject,
  currentSnapshot,
  listSnapshots,
  locateDerived,
  locateKept,
  locateScratch,
  makeDerived,
  manifestOver,
  namedSnapshot,
  nothingIn,
  readSnapshot,
  overSnapshot,
  readManifest,
  tablesIn,
  type Snapshot,
} from "./snapshot.js";
export { createLocalStore } from "./local.js";
export {
  missingFile,
  namesIn,
  otherSize,
  type Entry,
  type LakeStore,
  type Lock,
  type ObjectStorage,
  type Publication,
} from "./store.js";
export { unpackedDigest } from "./verify-files.js";
export { verifyProject, type VerifyReport } from "./verify.js";
