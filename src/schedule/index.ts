/** Runs a pipeline when its schedule says so: due times, the loop that keeps them, and its health. */
export {
  keepSchedule,
  patternOf,
  serveHealth,
  starting,
  type ScheduleState,
  timesOf,
  type Schedule,
} from "./keep-schedule.js";
