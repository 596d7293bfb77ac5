/** Runs a pipeline when its schedule says so, answers for its health, and sends notices. */
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
