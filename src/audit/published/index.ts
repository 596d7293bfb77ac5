/** The published numbers of a snapshot, read from whatever list and shape they come in. */
export { snakeCase } from "./fields.js";
export type { Cell, GroupKey, PublishedGroup } from "./group.js";
export { noNames, readItemNames, type ItemNames } from "./item-names.js";
export { decimalsOf, equalAt, halfWidthAt, numericNoise, unrounded, type Precision } from "./precision.js";
export { readPublished, type ScoreShapes } from "./read-published.js";
export type { RecordShapes } from "./record-shape.js";
export { isRecord } from "./record.js";
export { lists, type List } from "./records.js";
export { unreadIn, type Unread } from "./unread.js";
