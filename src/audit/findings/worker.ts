import { parentPort, workerData } from "node:worker_threads";
import { findCausesHere, type OpenResults } from "./find-causes.js";

parentPort?.postMessage(findCausesHere(workerData as OpenResults));
