/** Object storage (S3): addresses, the objects of a bucket, conditional writes, uploads, and what lets the engine read them. */
export { isObject, located, objectAddress, type ObjectAddress, letEngineRead } from "./connection.js";
export { createObjects, type ObjectHead, type Objects } from "./objects.js";
