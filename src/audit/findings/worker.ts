import { parentPort, workerData } from "node:worker_threads";
import { explainHere, type Order } from "./find-causes.js";

parentPort?.postMessage(explainHere(workerData as Order));
