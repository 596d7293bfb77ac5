/** Walks over the bytes of JSON bodies, without building values: the scan of a list's records, and the split into elements. */
export { maximumElement } from "./bytes.js";
export {
  countElements,
  flawMark,
  identifierIn,
  readElements,
  writeElementLines,
  writeElements,
  type ListElement,
} from "./elements.js";
export type { UnknownField } from "./record.js";
export { scanBody, type Scan, type Scanning } from "./scan.js";
export { shapeOf, type Shape } from "./shape.js";
