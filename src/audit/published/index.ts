/** Reads the published numbers of a snapshot from every list and in every shape. */
export { snakeCase } from "./fields.js";
export type { Cell, GroupKey, PublishedGroup } from "./group.js";
export { noNames, readItemNames, type ItemNames } from "./item-names.js";
export { decimalsOf, equalAt, halfWidthAt, numericNoise, unrounded, type Precision } from "./precision.js";
export { rangesOf } from "./ranges.js";
export { readPublished, type ScoreShapes } from "./read-published.js";
export type { RecordShapes } from "./record-shape.js";
export { isRecord } from "./record.js";
export { lists, type List } from "./records.js";
export { unreadIn, type Unread } from "./unread.js";
