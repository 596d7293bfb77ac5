/**
 * Runs a pipeline when its schedule says so: due times, the loop that keeps them, its health, and
 * notices of its runs.
 */
import { lazily } from "../platform/index.js";

export {
  keepSchedule,
  cronOf,
  serveHealth,
  starting,
  type ScheduleState,
  timesOf,
  type Schedule,
} from "./keep-schedule.js";

export const deliver = lazily(async () => (await import("./deliver.js")).deliver);
