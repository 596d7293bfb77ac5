import { describe, expect, it } from "vitest";
import { runsBefore } from "../../src/lake/index.js";
import { createLog, exitCodes } from "../../src/platform/index.js";
import { keepSchedule, type Schedule, type ScheduleState } from "../../src/schedule/index.js";
import { virtualClock } from "../support/virtual-clock.js";
import { isWhole } from "../support/whole.js";

const hourMs = 3_600_000;
const nightly: Schedule = {
  ...{
    cron: "0 2 * * *",
    timezone: "UTC",
    jitter: 0,
    catchUp: true,
    host: "127.0.0.1",
    port: undefined,
  },
};

interface Night {
  /** How long each run takes, in order; the last one stands for all after it. */
  readonly hours?: readonly number[];
  readonly exitCodes?: readonly (number | null)[];
  /** What `read` returns or throws from its second call on. */
  readonly read?: (now: Date) => Schedule;
  /** The runs of each project in the lake, as start and exit code. */
  readonly lake?: readonly (readonly (readonly [string, number | null])[])[];
  readonly schedule?: Partial<Schedule>;
}

async function keep(
  forHours: number,
  { hours = [0.1], exitCodes: codes = [0], read, lake = [[]], schedule }: Night = {},
) {
  const clock = virtualClock(Date.UTC(2026, 0, 1, 12), setImmediate);
  const stop = new AbortController();
  const end = clock.now().getTime() + forHours * hourMs;
  const starts: string[] = [];
  const lines: string[] = [];
  const states: ScheduleState[] = [];
  let reads = 0;
  const stopIfOver = () => clock.now().getTime() >= end && stop.abort();
  const result = await keepSchedule(
    {
      read: () => {
        stopIfOver();
        const own = { ...nightly, ...schedule };
        return Promise.resolve().then(() => (reads++ > 0 ? (read?.(clock.now()) ?? own) : own));
      },
      runs: (now, warn) => {
        const runsOf = (runs: (typeof lake)[number]) =>
          runs.map(([at, exit_code]) => ({ started_at: `2026-${at}Z`, ended_at: null, exit_code }));
        return Promise.resolve(lake.map((runs) => runsBefore(runsOf(runs), now, warn)));
      },
      run: async () => {
        const nth = starts.push(clock.now().toISOString().slice(5, 19)) - 1;
        await clock.sleep((hours[nth] ?? hours.at(-1) ?? 0) * hourMs);
        stopIfOver();
        return codes[Math.min(nth, codes.length - 1)] ?? null;
      },
    },
    {
      ...{ clock, signal: stop.signal, salt: "here", onState: (state) => states.push(state) },
      log: createLog(({ level, message }) =>
        lines.push(level === "info" ? message : `${level}: ${message}`),
      ),
    },
  );
  return { result, starts, lines, states };
}

describe("a kept schedule", () => {
  it.each([
    [
      "one project has had its run, whoever ran it, however it ended",
      [[["01-01T02:00:00", exitCodes.export]]],
      0,
    ],
    ["its run was before that", [[["01-01T01:59:59", 0]]], 1],
    ["its run was killed", [[["01-01T02:00:01", null]]], 1],
    ["its run was interrupted", [[["01-01T02:00:01", exitCodes.interrupted]]], 1],
    [
      "a second attempt was killed too",
      [
        [
          ["01-01T02:00:01", null],
          ["01-01T02:10:00", null],
        ],
      ],
      0,
    ],
    ["one of two projects had none", [[["01-01T02:00:01", 0]], []], 1],
    ["both had one", [[["01-01T02:00:01", 0]], [["01-01T02:30:00", 2]]], 0],
  ] as const)("at its start, when %s", async (_, lake, count) => {
    const { starts, states } = await keep(0.1, { lake });
    expect(starts.length).toBe(count);
    expect(states.find(({ last_run }) => last_run)?.last_run?.started_at).toMatch(/^2026-01-01T0/);
  });

  it.runIf(isWhole)(
    "goes on after a run that a clock ahead has recorded, and warns of it once",
    async () => {
      const { starts, lines } = await keep(48, { lake: [[["12-31T02:00:00", 0]]] });
      expect(starts).toEqual(["01-01T12:00:00", "01-02T02:00:00", "01-03T02:00:00"]);
      expect(lines.filter((line) => line.startsWith("warn"))).toEqual([
        "warn: Ignored 1 run recorded by a clock ahead, from 2026-12-31T02:00:00Z, since it is 2026-01-01T12:00:00.000Z. Check the clocks of the hosts that write this lake.",
      ]);
    },
  );

  it("makes up several missed runs by one", async () => {
    expect((await keep(0.05, { schedule: { cron: "*/5 * * * *" } })).starts).toEqual([
      "01-01T12:00:00",
    ]);
  });

  it("never overlaps: what comes due during a run is skipped with one warning and made up once", async () => {
    const { starts, lines } = await keep(7.5, {
      schedule: { cron: "0 * * * *" },
      hours: [3.5, 0.1],
    });
    expect(starts).toEqual([
      "01-01T12:00:00",
      "01-01T15:30:00",
      "01-01T16:00:00",
      "01-01T17:00:00",
      "01-01T18:00:00",
      "01-01T19:00:00",
    ]);
    expect(lines.filter((line) => /Skipped|Making up/.test(line))).toEqual([
      "warn: Skipped the run due at 2026-01-01T13:00:00Z: the one started at 2026-01-01T12:00:00Z is still running.",
      "Making up the run due at 2026-01-01T15:00:00Z.",
    ]);
  });

  it("continues after a run that failed or was killed, and does not repeat it", async () => {
    const { starts, lines, states } = await keep(48, { exitCodes: [exitCodes.export, null, 0] });
    expect(starts.length).toBe(3);
    expect(lines).toContain("error: The run was killed.");
    const ends = states.flatMap(({ last_run }) => last_run?.exit_code ?? []);
    expect([...new Set(ends)]).toEqual([exitCodes.export, 0]);
  });

  it("takes over a changed file without a restart, and keeps the old times while it cannot be read", async () => {
    const read = (now: Date): Schedule => {
      if (now.getUTCHours() >= 18 && now.getUTCDate() === 1)
        throw new Error("nightly.yaml, line 3: broken");
      return { ...nightly, cron: now.getUTCDate() === 1 ? "0 20 * * *" : "0 5 * * *" };
    };
    const { starts, lines, states } = await keep(30, { read });
    expect(starts).toEqual(["01-01T12:00:00", "01-01T20:00:00", "01-02T05:00:00"]);
    expect(lines.filter((line) => line.includes("schedule"))).toEqual([
      "warn: The schedule stays as it was: nightly.yaml, line 3: broken",
      "The schedule can be read again.",
    ]);
    expect(states.filter(({ problem }) => problem !== null).at(-1)?.last_run?.started_at).toMatch(
      /T20:00/,
    );
  });

  it("ends with the exit code of the run that it interrupted, and with none between runs", async () => {
    expect((await keep(1, { exitCodes: [exitCodes.interrupted], hours: [2] })).result).toBe(
      exitCodes.interrupted,
    );
    const { result, states } = await keep(6);
    expect(result).toBeUndefined();
    expect(states.at(-1)).toMatchObject({
      state: "stopping",
      next_run_at: null,
      last_run: { exit_code: 0 },
    });
  });
});
