export { commands } from "./commands.js";
export { main } from "./main.js";
export { watchProcess } from "./watch-process.js";
