import { describe, expect, it } from "vitest";
import { timesOf, type Schedule } from "../../src/schedule/index.js";

const schedule = (cron: string, timezone = "Europe/Berlin", jitter = 0): Schedule => ({
  ...{ cron, timezone, jitter, catchUp: true, host: "127.0.0.1", port: undefined },
});
const now = new Date("2026-01-01T00:00:00Z");
const times = (cron: string, timezone?: string, jitter?: number) =>
  timesOf(schedule(cron, timezone, jitter), "host pipeline", now);

function between(cron: string, from: string, to: string, timezone?: string) {
  const { next, last } = times(cron, timezone);
  const [first, end] = [new Date(from), new Date(to)];
  const forward: Date[] = [];
  for (let due = next(first); due <= end; due = next(due)) forward.push(due);
  const back: Date[] = [];
  for (let due = last(end); due && due > first; due = last(new Date(due.getTime() - 1)))
    back.unshift(due);
  expect(back).toEqual(forward);
  return forward.map((due) => due.toISOString().replace(":00.000Z", "Z"));
}

describe("a time that a change of the clocks", () => {
  it("leaves out is due when the gap ends, once", () => {
    expect(between("30 2 * * *", "2026-03-28T00:00Z", "2026-03-31T00:00Z")).toEqual([
      "2026-03-28T01:30Z",
      "2026-03-29T01:00Z",
      "2026-03-30T00:30Z",
    ]);
  });

  it("makes come twice is due the first time, once", () => {
    expect(between("30 2 * * *", "2026-10-24T00:00Z", "2026-10-27T00:00Z")).toEqual([
      "2026-10-24T00:30Z",
      "2026-10-25T00:30Z",
      "2026-10-26T01:30Z",
    ]);
  });

  it("touches among several is due as often as the clock shows it", () => {
    expect(between("0,30 2 * * *", "2026-03-28T12:00Z", "2026-03-29T12:00Z")).toEqual([]);
    expect(between("0,30 2 * * *", "2026-10-24T12:00Z", "2026-10-25T12:00Z")).toEqual([
      "2026-10-25T00:00Z",
      "2026-10-25T00:30Z",
      "2026-10-25T01:00Z",
      "2026-10-25T01:30Z",
    ]);
    expect(between("0 * * * *", "2026-10-25T00:30Z", "2026-10-25T03:30Z").length).toBe(3);
  });

  it.each([
    ["America/Santiago", "15 0 * * *"],
    ["Australia/Lord_Howe", "45 1 * * *"],
    ["America/New_York", "30 2 * * *"],
    ["Africa/Casablanca", "30 2 * * *"],
  ])("in %s never makes a day's run come twice or not at all (%s)", (timezone, cron) => {
    expect(between(cron, "2026-01-01T12:00Z", "2027-01-01T12:00Z", timezone).length).toBe(365);
  });
});

it("jitter delays a start by at most its seconds, the same for the same host, pipeline and date", () => {
  const starts = (salt: string) => {
    const { start, next } = timesOf(schedule("0 2 * * *", "UTC", 300), salt, now);
    const dues = Array.from({ length: 60 }, (_, i) =>
      next(new Date(now.getTime() + i * 86_400_000)),
    );
    return dues.map((due) => (start(due).getTime() - due.getTime()) / 1000);
  };
  const here = starts("a");
  expect(here).toEqual(starts("a"));
  expect(Math.min(...here)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...here)).toBeLessThanOrEqual(300);
  expect(new Set(here).size).toBeGreaterThan(45);
  expect(here.filter((seconds, i) => seconds === starts("b")[i]).length).toBeLessThan(5);
});

it.each([
  [
    "61 2 * * *",
    "UTC",
    /^schedule\.cron "61 2 \* \* \*" is not a cron expression\. Write five fields/,
  ],
  ["0 2 * *", "UTC", /is not a cron expression/],
  ["0 0 2 * * *", "UTC", /is not a cron expression/],
  ["every night", "UTC", /is not a cron expression/],
  ["0 2 30 2 *", "UTC", /never comes due/],
  [
    "0 2 * * *",
    "Mars/Olympus",
    /^schedule\.timezone Mars\/Olympus is not a time zone\. Use an IANA name/,
  ],
])("refuses %s in %s", (cron, timezone, message) => {
  expect(() => times(cron, timezone)).toThrow(message);
});
