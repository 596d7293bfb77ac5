/** Object storage (S3): lakes in a bucket, and what lets the engine read them. */
export { letEngineRead } from "./connection.js";
export { createObjectStore, removeObjects } from "./s3.js";
