/** Walks over the bytes of JSON bodies, without building values. One tokenizer splits lists for every reader. */
export { countElements, type Count } from "./count-elements.js";
export { flawMark, writeElementLines } from "./element-lines.js";
export { identifierIn, readElements, writeElements, type Element } from "./read-elements.js";
export { createScanner, type Scanner, type Scanning } from "./scanner.js";
export { shapeOf, type Shape } from "./shape.js";
export { splitBody } from "./split-body.js";
export type { Scan } from "./list-scanner.js";
export type { UnknownField } from "./compiled.js";
export { maximumElement } from "./tokenizer.js";
