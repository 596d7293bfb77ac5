export { digestOf } from "./digest.js";
export { layoutOf, manifestName, partPath, type Layout } from "./layout.js";
export { lockProject, type Lock } from "./lock.js";
export type { ExperimentState, Manifest, ManifestExperiment, Part, Unit, UnitState } from "./manifest.js";
export { isBalanced } from "./manifest.js";
export { publish } from "./publish.js";
export { chooseProject, currentSnapshot, listProjects, listSnapshots, openSnapshot, type Snapshot, type TableFiles } from "./snapshot.js";
