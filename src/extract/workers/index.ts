/** An export by several workers, on one machine or many, into one snapshot. */
export { exportShare } from "./export-share.js";
