/** Reads what an export takes: the experiments with their lists, and the lists of the project. */
export { readProject } from "./project.js";
export { bodiesOf, readAll, readClosing, readEach, readOpening, type Opening } from "./read-all.js";
