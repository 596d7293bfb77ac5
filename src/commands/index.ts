export { commands } from "./commands.js";
export { main } from "./main.js";
