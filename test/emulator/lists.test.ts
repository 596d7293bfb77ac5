import { expect, test } from "vitest";
import { ask, parsed } from "../support/http-client.js";
import { testProject } from "../support/project.js";

interface Row {
  kind: string;
  source: string;
  dimension: string;
  is_training: boolean;
  scores: { stimulus: string; n?: number; value?: number }[];
  options: Record<string, unknown>;
  leaderboard_id: string | null;
}
const { service } = await testProject({});
const rows = async (path: string) => parsed<Row[]>(await ask(service, path));

test("training is left out unless the request includes it", async () => {
  const at = "experiments/Codecs16k/ratings/";
  const [all, serious, silent] = [
    await rows(`${at}?training=true`),
    await rows(`${at}?training=false`),
    await rows(at),
  ];
  expect(all.length).toBe(3528);
  expect(serious.every((row) => !row.is_training)).toBe(true);
  expect(all.filter((row) => !row.is_training)).toEqual(serious);
  expect(silent).toEqual(serious);
  for (const value of ["yes", "1", "", "TRUE"])
    expect((await ask(service, `${at}?training=${value}`)).status).toBe(400);
  expect((await ask(service, `${at}?training=true&training=false`)).status).toBe(400);
});

test("filters results by metric and by source", async () => {
  const at = "experiments/Codecs16k/results/";
  expect((await rows(at)).map(({ kind, source }) => [kind, source])).toEqual([
    ["win_loss", ""],
    ["percent_chosen", ""],
    ["elo", ""],
    ["bayesian_elo", ""],
  ]);
  expect((await rows(`${at}?metric=elo`)).map(({ kind }) => kind)).toEqual(["elo"]);
  const jobs = parsed<{ id: string }[]>(await ask(service, "experiments/Codecs16k/jobs/")).map(
    ({ id }) => id,
  );
  const perJob = await rows(`${at}?metric=win_loss&source=${jobs.join(",")}`);
  expect(perJob.map(({ source }) => source)).toEqual(jobs);
  const [whole] = await rows(`${at}?metric=win_loss`);
  const sum = (list: Row[], item: string) =>
    list
      .flatMap(({ scores }) => scores)
      .filter((row) => row.stimulus === item)
      .reduce((n, row) => n + (row.n ?? 0), 0);
  expect(sum(perJob, "opus-1.5")).toBe(whole?.scores.find((row) => row.stimulus === "opus-1.5")?.n);
  expect(await rows(`${at}?source=Nowhere`)).toEqual([]);
  for (const query of ["metric=median", "source=a-b", "source=", "metric=elo&metric=mean"])
    expect((await ask(service, `${at}?${query}`)).status).toBe(400);
});

test("lists metrics across experiments, jobs and leaderboards", async () => {
  const all = await rows("metrics/?metric=elo");
  expect(all.map(({ source }) => source)).toEqual([
    "Codecs16k",
    "Text2Image",
    "Text2Image",
    "Upscale90s",
    "Voices5",
  ]);
  const [board] = await rows("metrics/?source=CallQuality");
  expect(board).toMatchObject({
    kind: "bayesian_elo",
    source: "CallQuality",
    leaderboard_id: "CallQuality",
  });
});
