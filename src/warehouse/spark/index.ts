export { versionOf } from "./session.js";
export { overSpark } from "./warehouse.js";
