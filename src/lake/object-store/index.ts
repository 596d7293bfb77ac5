/** Lakes in object storage. */
export { leaseTimes } from "./lease.js";
export { createObjectStore } from "./object-store.js";
