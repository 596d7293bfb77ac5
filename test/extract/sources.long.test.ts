import { rmSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { type ExportOptions, type ExportReport } from "../../src/extract/index.js";
import { readSnapshot, verifyProject } from "../../src/lake/index.js";
import { openWarehouse, type Row } from "../../src/warehouse/index.js";
import { temporaryLake, exportTo } from "../support/export-to-lake.js";
import { httpServer } from "../support/raw-server.js";

/** Rows, or a status without any. `null` asks for the whole list. */
type Answer = readonly unknown[] | number;
type Numbers = (source: string | null, nth: number) => Answer;

const lakes: string[] = [];
afterAll(() => {
  for (const lake of lakes) rmSync(lake, { recursive: true });
});

const elo = (value: number, source?: string, more: object = {}) => ({
  kind: "elo",
  dimension: "",
  ...(source === undefined ? {} : { source }),
  scores: [["A", value]],
  options: {},
  ...more,
});

interface Published {
  readonly jobs?: readonly string[];
  readonly boards?: readonly string[];
  readonly results: Numbers;
  readonly metrics?: Numbers;
}

interface Exported {
  readonly report: ExportReport;
  /** `table source asked_source value` of each row. */
  readonly rows: readonly string[];
  /** The reasons of quarantined rows, by table. */
  readonly requests: readonly string[];
  readonly problems: readonly unknown[];
  readonly busiest: number;
}

async function exported(
  { jobs = ["J1", "J2"], boards = [], results, metrics = () => [] }: Published,
  options: Partial<ExportOptions> = {},
): Promise<Exported> {
  const requests: string[] = [];
  const asked = new Map<string, number>();
  const records = (ids: readonly string[]) => ids.map((id) => ({ id }));
  let [open, busiest] = [0, 0];
  const service = await httpServer((response, _, request) => {
    busiest = Math.max(busiest, ++open);
    response.on("close", () => open--);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://service");
    const [, list = "", id] = /\/(\w+)\/(?:(J\d+)\/)?$/.exec(pathname) ?? [];
    const source = searchParams.get("source");
    const name = `${list}${source === null ? "" : ` ${source}`}`;
    requests.push(name);
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const lists: Record<string, Answer | object> = {
      experiments: [{ id: "X1", name: "one", type: "pairwise_audio" }],
      jobs: id === undefined ? records(jobs) : { id },
      rubrics: boards.length === 0 ? [] : records(["R1"]),
      leaderboards: records(boards),
      results: results(source, asked.get(name) ?? 0),
      metrics: metrics(source, asked.get(name) ?? 0),
    };
    const answer = lists[list] ?? [];
    response.statusCode = typeof answer === "number" ? answer : 200;
    setImmediate(() => response.end(JSON.stringify(typeof answer === "number" ? {} : answer)));
  });
  const lake = temporaryLake();
  lakes.push(lake);
  const tables = ["jobs", "results", "metrics", "rubrics", "leaderboards"] as const;
  const served = { url: service.url, projectId: "P1", apiKey: "some-key" };
  const report = await exportTo(lake, served, { tables, ...options });
  const snapshot = await readSnapshot(lake, "P1");
  const warehouse = await openWarehouse({ sources: snapshot.tables });
  const rowsOf = (table: string): Promise<Row[]> =>
    warehouse.all(`select concat_ws(' ', '${table}', coalesce(source, '-'), coalesce(asked_source, '-'),
      json_extract_string(scores, '$[0][1]')) as line from ${table} order by line`);
  const rows = [...(await rowsOf("results")), ...(await rowsOf("metrics"))].map(
    ({ line }) => line as string,
  );
  warehouse.close();
  const { problems } = await verifyProject(lake, "P1");
  await service.close();
  return { report, rows, requests, problems, busiest };
}

const sum = ({ report }: Exported, count: "quarantined" | "repeated") =>
  report.manifest.units
    .flatMap(({ parts }) => parts)
    .reduce((total, part) => total + (part[count] ?? 0), 0);
const states = ({ report }: Exported) =>
  report.manifest.units.flatMap(({ operation, parameters, state, status }) =>
    parameters.source === undefined ? [] : [`${operation} ${parameters.source} ${state} ${status}`],
  );

const services: Record<
  string,
  Published & {
    rows: readonly string[];
    repeated?: number;
    quarantined?: number;
    isWhole?: boolean;
  }
> = {
  "filters by source, and names it": {
    results: (source) => (source === null ? [elo(1, "")] : [elo(source === "J1" ? 2 : 3, source)]),
    rows: ["results - - 1", "results J1 J1 2", "results J2 J2 3"].map((row) =>
      row.replace("- -", " -"),
    ),
  },
  "filters by source, without naming it": {
    results: (source) => (source === null ? [elo(1)] : [elo(source === "J1" ? 2 : 3)]),
    rows: ["results - - 1", "results - J1 2", "results - J2 3"],
  },
  "ignores the source": {
    results: () => [elo(1, "X1"), elo(2, "J1")],
    metrics: () => [elo(1, "X1")],
    rows: ["results J1 - 2", "results X1 - 1", "metrics X1 - 1"],
    repeated: 6,
  },
  "lists every source whole, and filters": {
    results: (source) =>
      [elo(1, "X1"), elo(2, "J1"), elo(3, "J2")].filter(
        (r) => source === null || r.source === source,
      ),
    rows: ["results J1 - 2", "results J2 - 3", "results X1 - 1"],
    repeated: 2,
  },
  "answers with the numbers of another source": {
    results: (source) =>
      source === null ? [elo(1, "X1")] : [elo(2, "J1"), elo(5, "X1"), elo(6, "J1,J2")],
    rows: ["results J1 J1 2", "results X1 - 1"],
    quarantined: 5,
  },
  "names a source in another field": {
    boards: ["B1"],
    results: () => [],
    metrics: (source) =>
      source === null
        ? [elo(1, "X1")]
        : [
            elo(
              2,
              "X1",
              source === "B1" ? { leaderboard_id: source } : { job_id: source, dimension: source },
            ),
          ],
    rows: ["metrics X1 - 1", "metrics X1 B1 2", "metrics X1 J1 2", "metrics X1 J2 2"],
  },
  "names a leaderboard like the number of a part": {
    boards: ["0"],
    jobs: ["J1"],
    results: () => [],
    metrics: (source) => [elo(source === null ? 1 : 2, source ?? "")],
    rows: ["metrics  - 1", "metrics 0 0 2", "metrics J1 J1 2"],
  },
  "has a job and a leaderboard of one name": {
    boards: ["J1", "B2", "B2"],
    isWhole: false,
    jobs: ["J1"],
    results: () => [],
    metrics: (source) => [elo(source === null ? 1 : 2, source ?? "")],
    rows: ["metrics  - 1", "metrics B2 B2 2", "metrics J1 J1 2"],
  },
  "has no numbers for a job": {
    results: (source) => (source === null ? [elo(1)] : source === "J1" ? [] : [elo(3, "J2")]),
    rows: ["results - - 1", "results J2 J2 3"],
  },
};

describe("numbers published for each job and leaderboard", () => {
  test.each(Object.entries(services))(
    "are neither doubled nor attributed to another source by a service that %s",
    async (
      _,
      { rows, repeated = 0, quarantined = 0, isWhole = quarantined === 0, ...published },
    ) => {
      const done = await exported(published);
      expect(done.rows).toEqual(rows);
      expect([sum(done, "repeated"), sum(done, "quarantined")]).toEqual([repeated, quarantined]);
      expect(done.report.shortfalls.length === 0).toBe(isWhole);
      expect(done.report.manifest.experiments.map(({ state }) => state)).toEqual(["complete"]);
      expect(done.problems).toEqual([]);
    },
  );

  test("a refused source loses only its numbers and leaves the snapshot not whole", async () => {
    const done = await exported({
      results: (source) => (source === "J1" ? 403 : [elo(source === null ? 1 : 3, source ?? "")]),
    });
    expect(done.rows).toEqual(["results  - 1", "results J2 J2 3"]);
    expect(states(done)).toContain("listResults J1 not_permitted 403");
    expect(done.report.manifest.experiments.map(({ state }) => state)).toEqual(["complete"]);
    expect(done.report.shortfalls.map(({ message }) => message)).toEqual([
      "listResults J1 of X1: the service refused the request (403).",
    ]);
    expect(done.problems).toEqual([]);
  });

  test.each([400, 404, 422])(
    "a source that the service does not know (%i) has no numbers",
    async (status) => {
      const done = await exported({
        results: (source) => (source === "J1" ? status : [elo(1, source ?? "")]),
      });
      expect(done.rows).toEqual(["results  - 1", "results J2 J2 1"]);
      expect(states(done)).toContain(`listResults J1 not_offered ${status}`);
      expect(done.report.shortfalls).toEqual([]);
    },
  );

  test("are read first and last: a change reads the experiment again, a second one makes it torn", async () => {
    const changing =
      (times: number): Numbers =>
      (source, nth) => [elo(source === "J2" ? Math.min(nth, times) : 0, source ?? "")];
    const settled = await exported({ results: changing(2) });
    expect(settled.report.manifest.experiments).toMatchObject([{ state: "complete" }]);
    expect(settled.rows).toEqual(["results  - 0", "results J1 J1 0", "results J2 J2 2"]);
    const torn = await exported({ results: () => [], metrics: changing(Infinity) });
    expect(torn.report.manifest.experiments).toMatchObject([{ state: "torn" }]);
  });

  test("are read before and after the ratings", async () => {
    const tables = ["jobs", "results", "metrics", "ratings", "slates"] as const;
    const { requests } = await exported(
      { results: (source) => [elo(1, source ?? "")] },
      { tables },
    );
    const data = requests.flatMap((name, i) =>
      name === "ratings" || name === "slates" ? [i] : [],
    );
    for (const name of ["results", "results J1", "results J2", "metrics J1", "metrics J2"]) {
      expect(requests.indexOf(name)).toBeLessThan(Math.min(...data));
      expect(requests.lastIndexOf(name)).toBeGreaterThan(Math.max(...data));
    }
  });

  test.each<[string, number, number, string[]]>([
    ["never", 1, 1, []],
    ["once", 2, 2, []],
    ["always", Infinity, 3, ["torn"]],
  ])(
    "of a whole project are read first and last: they change %s",
    async (_, times, value, kinds) => {
      for (const changing of [null, "B1"]) {
        const done = await exported({
          boards: ["B1"],
          jobs: [],
          results: () => [],
          metrics: (source, nth) => [
            elo(source === changing ? Math.min(nth, times) : 0, source ?? ""),
          ],
        });
        const numbers = changing === null ? [value, 0] : [0, value];
        expect(done.rows).toEqual([
          `metrics  - ${numbers[0] ?? ""}`,
          `metrics B1 B1 ${numbers[1] ?? ""}`,
        ]);
        expect(done.report.shortfalls.map(({ kind }) => kind)).toEqual(kinds);
        expect(
          done.report.manifest.units.flatMap((unit) => (unit.is_torn ? [unit.parameters] : [])),
        ).toEqual(kinds.map(() => (changing === null ? {} : { source: changing })));
        expect(done.report.manifest.experiments).toMatchObject([{ state: "complete" }]);
        expect(done.problems).toEqual([]);
        for (const list of ["metrics", "metrics B1", "leaderboards", "rubrics"]) {
          expect(done.requests.indexOf(list)).toBeLessThan(done.requests.indexOf("results"));
          expect(done.requests.lastIndexOf(list)).toBeGreaterThan(
            done.requests.lastIndexOf("results"),
          );
        }
      }
    },
  );

  test("of many jobs never take more connections than the limit", async () => {
    const jobs = Array.from({ length: 8 }, (_, i) => `J${i}`);
    const done = await exported(
      { jobs, results: (source) => [elo(1, source ?? "")] },
      { concurrency: 3 },
    );
    expect(done.rows).toHaveLength(9);
    expect(done.busiest).toBe(3);
    expect(done.requests.filter((name) => name.startsWith("results J"))).toHaveLength(16);
  });
});
