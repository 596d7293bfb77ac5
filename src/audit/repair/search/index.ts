export { repairRatings } from "./repair-ratings.js";
