/** Object storage (S3): addresses, the objects of a bucket, conditional writes, uploads; and how the engine reads and writes files. */
export { isObject, located, objectAddress, type ObjectAddress, letEngineRead } from "./connection.js";
export {
  allowOnly,
  attach,
  copyTo,
  type EngineFiles,
  enginePath,
  readCsv,
  readFooters,
  readJson,
  readParquet,
} from "./engine-files.js";
export { createObjects, type ObjectHead, type Objects } from "./objects.js";
