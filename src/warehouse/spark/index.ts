export { openSession, type SparkSession } from "./session.js";
