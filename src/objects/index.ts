/** Object storage (S3): addresses, the objects of a bucket, conditional writes, uploads, and what lets the engine read them. */
export { isObject, located, objectAddress, type ObjectAddress } from "./connection.js";
export { letEngineRead } from "./engine.js";
export { createObjects, type ObjectHead, type Objects } from "./objects.js";
