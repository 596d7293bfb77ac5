export { commandNames, loadCommand, main, type Command } from "./main.js";
export { watchProcess } from "./failure.js";
