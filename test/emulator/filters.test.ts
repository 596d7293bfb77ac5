import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { ask, parsed } from "../support/http-client.js";

interface Row {
  kind: string;
  source: string;
  dimension: string;
  is_training: boolean;
  scores: { stimulus: string; n?: number; value?: number }[];
  options: Record<string, unknown>;
  leaderboard_id: string | null;
}
let service: RunningEmulator;
const rows = async (path: string) => parsed<Row[]>(await ask(service, path));

beforeAll(async () => {
  service = await startEmulator();
});
afterAll(() => service.close());

test("training is left out unless the request or an option includes it", async () => {
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
  const other = await startEmulator({ defaultTraining: true });
  expect(parsed(await ask(other, at))).toEqual(all);
  await other.close();
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
  const jobs = parsed<{ id: string }[]>(await ask(service, "experiments/Codecs16k/jobs/")).map(({ id }) => id);
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
  expect(all.map(({ source }) => source)).toEqual(["Codecs16k", "Text2Image", "Text2Image", "Upscale90s", "Voices5"]);
  const [board] = await rows("metrics/?source=CallQuality");
  expect(board).toMatchObject({ kind: "bayesian_elo", source: "CallQuality", leaderboard_id: "CallQuality" });
});

test("publishing rules: another convention, rounding, corruption, and stated options", async () => {
  const plainly = (await rows("experiments/Codecs16k/results/?metric=percent_chosen"))[0];
  const other = await startEmulator({
    publishing: [
      {
        experiment: "Codecs16k",
        kinds: ["percent_chosen"],
        conventions: { ties: { percent_chosen: "half" }, percent_scale: 1 },
        decimals: 3,
      },
      {
        experiment: "*",
        kinds: ["elo"],
        corruption: { damage: "swap_items", a: "opus-1.5", b: "speex-wb" },
        options: "none",
      },
    ],
  });
  const under = async (kind: string) =>
    parsed<Row[]>(await ask(other, `experiments/Codecs16k/results/?metric=${kind}`))[0];
  const half = await under("percent_chosen");
  expect(half?.options).toMatchObject({ ties: "half", percent_scale: 1 });
  const value = half?.scores[0]?.value ?? 0;
  expect(value).toBeCloseTo(value, 3);
  expect(value).toBeGreaterThan((plainly?.scores[0]?.value ?? 0) / 100);
  expect(value).toBeLessThan(1);
  const elo = (await rows("experiments/Codecs16k/results/?metric=elo"))[0];
  const swapped = await under("elo");
  const of = (row: Row | undefined, item: string) => row?.scores.find((score) => score.stimulus === item)?.value;
  expect(of(swapped, "opus-1.5")).toBe(of(elo, "speex-wb"));
  expect(swapped?.options).toEqual({});
  await other.close();
});

test("the planted discrepancy: training counted, options silent", async () => {
  const [published] = await rows("experiments/Voices5/results/?metric=percent_chosen");
  const [counted] = await rows("experiments/Voices5/results/?metric=win_loss");
  expect(published?.options).toMatchObject({ training: "exclude" });
  expect(published?.scores[0]?.n).toBeGreaterThan(counted?.scores[0]?.n ?? 0);
});
