export { explainResults, type Explained, type Method, type OpenResult } from "./find-causes.js";
export type { Finding } from "./finding.js";
