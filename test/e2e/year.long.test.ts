import { mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import pLimit from "p-limit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { defaultRetention, measureProject, readRuns, summariseSnapshots, verifyProject } from "../../src/lake/index.js";
import { folderOfTests } from "../support/folder.js";
import { noticeReceiver, type NoticeReceiver } from "../support/notice-receiver.js";
import { clockFrom, createYearProject, happenings, planYear, type Night, type YearProject } from "../support/year.js";

const seed = Number(process.env.RECOUNT_YEAR ?? 1);
const nights = 365;
const projects = 2;
/** The night after which pools and caches are full. */
const warm = 30;
const plan = planYear(seed, nights, projects);
const start = Date.UTC(2026, 0, 1, 2);
const day = 86_400_000;
const project = "Listen42";

const root = folderOfTests("recount-year");
const temporary = join(root, "tmp");
const { TMPDIR } = process.env;
let all: readonly YearProject[] = [];
let receiver: NoticeReceiver;

beforeAll(async () => {
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;
  // Receivers fail, too.
  receiver = await noticeReceiver((nth) => (nth % 4 === 0 ? 503 : 200));
  all = Array.from({ length: projects }, (_, i) =>
    createYearProject(root, i, (night) => clockFrom(start + night * day), `${receiver.url}/${i}`),
  );
});
afterAll(async () => {
  for (const one of all) await one.close();
  await receiver.close();
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
});

const nameOf = ({ night, project, happening }: Night) =>
  `night ${night}, project ${project}, seed ${seed}: ${happening?.name ?? "nothing happens"}`;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Whom a run tells that ended with this code, by the path of the receiver; null: nobody. */
const toldTo = (code: number | null) => (code === 0 ? null : code === 1 || code === 2 ? "unexplained" : "failure");

/** What a descriptor of this process is. The one that lists them is closed by then. */
function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return "";
  }
}

/** What this process holds (sockets are resources), and the temporary files that are there. */
function held() {
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  const descriptors = readdirSync("/proc/self/fd").filter((name) => !targetOf(name).startsWith("socket:")).length;
  const resources = process.getActiveResourcesInfo().length;
  return { descriptors, resources, files: readdirSync(temporary).length, heap: heapUsed / 1e6, memory: rss / 1e6 };
}

interface Ended {
  readonly night: Night;
  readonly code: number | string | null;
  readonly wanted: readonly (number | string | null)[];
}

/** Runs a night of each project, a few at a time. */
function runNight(nights: readonly Night[]): Promise<Ended[]> {
  const limit = pLimit(3);
  return Promise.all(
    nights.map((night) =>
      limit(async () => {
        const wanted = night.happening?.exitCodes ?? [0];
        const code = (await all[night.project]?.run(night).catch(String)) ?? null;
        return { night, code, wanted };
      }),
    ),
  );
}

it("a year of nights: each failure is recorded and told once, every snapshot verifies, and nothing grows or leaks", async () => {
  const ended: Ended[] = [];
  let early: ReturnType<typeof held> | undefined;
  for (let night = 0; night < nights; night++) {
    ended.push(...(await runNight(plan.slice(night * projects, (night + 1) * projects))));
    if (night === warm) early = held();
  }
  const last = plan.slice(-projects).map((one) => ({ ...one, night: nights, happening: null, isAudited: true }));
  ended.push(...(await runNight(last)));
  const late = held();

  const wrong = ended.filter(({ code, wanted }) => !wanted.includes(code));
  expect(wrong.map(({ night, code }) => `${nameOf(night)}, ended with ${String(code)}`)).toEqual([]);
  const happened = new Set(ended.flatMap(({ night }) => night.happening?.name ?? []));
  expect(happened.size).toBe(happenings.length);

  for (const [i, { lake }] of all.entries()) {
    const own = ended.filter(({ night }) => night.project === i && night.isAudited);
    const runs = await readRuns(lake, project);
    // Once each, in their order: what failed with its code and a line, what was killed without an end.
    expect(runs.map(({ exit_code }) => exit_code)).toEqual(own.map(({ code }) => code));
    expect(runs.filter(({ exit_code }) => exit_code === 3).every(({ error }) => (error ?? "") !== "")).toBe(true);
    const told = receiver.accepted.filter(({ path }) => path.startsWith(`/${i}/`));
    const due = runs.flatMap(({ run, exit_code }) => {
      const to = toldTo(exit_code);
      return to === null ? [] : [`${to}: ${run} ended with ${exit_code}`];
    });
    const texts = told.map(
      ({ path, body }) => `${path.split("/")[2]}: ${String(body.run)} ended with ${String(body.exit_code)}`,
    );
    expect(texts.toSorted()).toEqual(due.toSorted());
    const summary = JSON.parse(readFileSync(join(root, `summary-${i}.json`), "utf8")) as object;
    expect(summary).toMatchObject({ run: runs.at(-1)?.run, exit_code: 0 });

    expect(await verifyProject(lake, project)).toMatchObject({ problems: [], leftovers: [] });
    expect(readdirSync(join(lake, project, "staging"))).toEqual([]);
    const kept = await summariseSnapshots(lake, project);
    const { last: newest, daily, monthly } = defaultRetention;
    expect(kept.length).toBeLessThanOrEqual(newest + daily + monthly);
    expect(kept.length).toBeGreaterThan(Math.min(nights, daily) * 0.7);
    expect(kept.filter(({ models_bytes }) => models_bytes > 0).map(({ is_current }) => is_current)).toEqual([true]);
  }
  const usages = await Promise.all(all.map(({ lake }) => measureProject(lake, project)));
  const bytes = usages.reduce((sum, { unique_bytes }) => sum + unique_bytes, 0);
  expect(bytes).toBeLessThan((1e9 * projects) / 12);

  // Pools and caches may differ by a few, and a connection that is kept has both its ends here; a leak is one a night.
  expect(late.files).toBeLessThanOrEqual(early?.files ?? 0);
  expect(late.descriptors - (early?.descriptors ?? 0)).toBeLessThan(nights / 5);
  expect(late.resources - (early?.resources ?? 0)).toBeLessThanOrEqual(Math.max(2 * projects, nights / 5));
  expect(late.heap - (early?.heap ?? 0)).toBeLessThan(50);
  if (process.env.RECOUNT_YEAR !== undefined)
    console.info(JSON.stringify({ bytes, early, late, nights: ended.length }));
}, 3_600_000);
