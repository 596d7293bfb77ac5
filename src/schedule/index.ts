/** Runs a pipeline when its schedule says so: due times, the loop that keeps them, and its health. */
export { keepSchedule, serveHealth, starting, type ScheduleState } from "./keep-schedule.js";
export { timesOf, type Schedule } from "./times.js";
