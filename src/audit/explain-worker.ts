import { parentPort, workerData } from "node:worker_threads";
import { explainHere, type Order } from "./explain-results.js";

parentPort?.postMessage(explainHere(workerData as Order));
