/** Reads the published numbers of a snapshot from every list and in every shape. */
export {
  canBeOne,
  noNames,
  precisionOfResult,
  rangesOf,
  readItemNames,
  type Cell,
  type GroupKey,
  type ItemNames,
  type PublishedGroup,
  type ResultPrecision,
} from "./cells.js";
export { decimalsOf, equalAt, halfWidthAt, numericNoise, unrounded, type Precision } from "./precision.js";
export { holdsNumbers } from "./leaves.js";
export { readPublished } from "./read-published.js";
export { lists, type List } from "./records.js";
export { isRecord, snakeCase } from "./scores.js";
export type { RecordShapes, ScoreShapes } from "./shapes.js";
