import { expect, test } from "vitest";
import { defaultConventions } from "../../src/metrics/index.js";
import { bySource, groupsBySource } from "../../src/metrics/kernel.js";
import { seededRandom } from "../../src/platform/random.js";

function study(seed: number) {
  const random = seededRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const rows = [1, 2, 4].flatMap((dimension) =>
    Array.from({ length: below(60) }, () => [dimension, below(7), below(100)]),
  );
  const sources: number[][] = [];
  let group = 0;
  for (const dimension of [1, 2, 3, 4]) {
    const sets = [
      [0, 1, 2, 3, 4, 5, 6, 7],
      ...[1, 2, 3, 4, 5, 6, 7].map((job) => [job]),
      [1, 4],
      [2, 3, 6],
    ];
    sets.forEach((jobs, i) => {
      group++;
      for (const job of jobs) sources.push([dimension, job, group, Number(i === 0)]);
    });
  }
  return { rows, sources };
}

const columnsOf = (rows: readonly number[][], names: readonly string[]) =>
  Object.fromEntries(names.map((name, i) => [name, Int32Array.from(rows, (row) => row[i]!)]));

function joined({ rows, sources }: ReturnType<typeof study>) {
  const groups = [...new Set(sources.map(([, , group]) => group))];
  return groups.flatMap((group) => {
    const own = sources.filter((source) => source[2] === group);
    const counted = rows.filter(([dimension, job]) =>
      own.some((source) => source[0] === dimension && source[1] === job),
    );
    return counted.length === 0
      ? []
      : [{ id: group, isWhole: own[0]?.[3] === 1, values: counted.map((row) => row[2]) }];
  });
}

test("a group by source has the rows of its jobs, in order, as a join of rows and sources would", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const one = study(seed);
    const input = columnsOf(one.rows, ["dimension_id", "job_no", "value"]);
    const sources = columnsOf(one.sources, ["dimension_id", "job_no", "group_id", "is_whole"]);
    const found = Array.from(groupsBySource(input, sources), ({ rows, ...group }) => ({
      ...group,
      values: [...(rows.value ?? [])],
    }));
    expect(found).toEqual(joined(one));
  }
});

test("an experiment and the only job that it has are computed once; a table of whole experiments has no rows of jobs", () => {
  const computed: number[] = [];
  const kernel = bySource(
    { "": { value: "integer" }, history: { value: "integer" } },
    ({ id, rows: { value = [] } }, _, isUnread) => {
      computed.push(id);
      return { "": { value }, history: isUnread("history") ? null : { value } };
    },
    { slow: [], ofWhole: ["history"] },
  );
  const rows = [
    [1, 3, 10],
    [1, 3, 11],
    [2, 4, 20],
    [2, 5, 21],
  ];
  const sources = [
    [1, 3, 1, 1],
    [1, 3, 2, 0],
    [2, 4, 3, 1],
    [2, 5, 3, 1],
    [2, 4, 4, 0],
    [2, 5, 5, 0],
  ];
  const input = columnsOf(rows, ["dimension_id", "job_no", "value"]);
  const needs = {
    unread: [],
    sources: columnsOf(sources, ["dimension_id", "job_no", "group_id", "is_whole"]),
  };
  const found = kernel.run(input, defaultConventions, needs);
  expect(computed).toEqual([1, 3, 4, 5]);
  expect(found[""]).toEqual({
    group_id: Float64Array.of(1, 1, 2, 2, 3, 3, 4, 5),
    value: Float64Array.of(10, 11, 10, 11, 20, 21, 20, 21),
  });
  expect(found.history).toEqual({
    group_id: Float64Array.of(1, 1, 3, 3),
    value: Float64Array.of(10, 11, 20, 21),
  });
});
