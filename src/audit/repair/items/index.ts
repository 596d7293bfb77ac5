export { repairItems } from "./repair-items.js";
