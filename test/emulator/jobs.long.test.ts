import { expect, test } from "vitest";
import type { ApiVersion } from "../../src/contract/index.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { audited } from "../support/export-and-audit.js";
import { ask, parsed, plain } from "../support/http-client.js";

type Fields = Record<string, unknown>;

async function runStudy(
  service: RunningEmulator,
  version: ApiVersion,
  bodies: ApiVersion,
): Promise<Record<string, Fields[]>> {
  const dataset = parsed<{ id: string; upload_url: string; status_url: string }>(
    await ask(service, "datasets/", {
      method: "POST",
      body: { name: "Codecs", filename: "codecs.zip" },
    }),
  );
  const status = async () =>
    parsed<{ status: string; errors: string[] }>(
      await plain(dataset.status_url, { headers: { authorization: `Api-Key ${service.apiKey}` } }),
    );
  expect(await status()).toEqual({ status: "draft", errors: [] });
  const uploaded = await plain(dataset.upload_url, {
    method: "PUT",
    body: "the bytes of an archive",
  });
  expect(uploaded.status).toBe(200);
  expect(await status()).toEqual({ status: "ready", errors: [] });

  const newer = {
    name: "Life",
    type: "pairwise_audio",
    language: "en",
    datasets: [dataset.id],
    training_datasets: [dataset.id],
    question: "Which?",
  };
  const older = {
    name: "Life",
    version: 2,
    language: "en",
    datasets: [dataset.id],
    training_datasets: [dataset.id],
    config: { type: "pairwise_audio" },
  };
  const created = await ask(service, "experiments/", {
    method: "POST",
    body: bodies === "0.8.3" ? newer : older,
  });
  expect(created.status).toBe(201);
  const experiment = parsed<Fields>(created);
  expect(version === "0.8.3" ? experiment.type : experiment.version).toBe(
    version === "0.8.3" ? "pairwise_audio" : bodies === "0.8.3" ? 1 : 2,
  );
  const at = `experiments/${String(experiment.id)}/`;

  const common = {
    num_sessions: 8,
    num_comparisons: 6,
    num_training: 2,
    max_repetitions: 1,
    min_rest_time: 30,
  };
  const jobBody =
    bodies === "0.8.3"
      ? { ...common, rater_pool: 3, strategy: "neighbor" }
      : { ...common, pool: 3, strategy: "neighbour" };
  const drafted = await ask(service, `${at}jobs/`, { method: "POST", body: jobBody });
  expect(drafted.status).toBe(201);
  const job = parsed<Fields>(drafted);
  expect(job.date_launched).toBeNull();
  expect(job).toMatchObject(
    version === "0.8.3"
      ? { rater_pool: { kind: 400 }, config: { strategy: "neighbor" } }
      : { pool: 3, config: { strategy: "neighbour" } },
  );
  const own = `${at}jobs/${String(job.id)}/`;
  const costs = parsed<{ token: string; cost: number }>(await ask(service, `${own}costs/`));
  expect(costs.cost).toBe(9.2);
  const launched = await ask(service, `${own}launch/`, {
    method: "POST",
    body: { token: costs.token },
  });
  expect(launched.status).toBe(200);
  expect(parsed(launched)).toEqual({ token: costs.token });
  const done = parsed<Fields>(await ask(service, own));
  expect(done.status).toBe("completed");
  expect(done.date_launched).not.toBeNull();
  const used = parsed<Fields>(await ask(service, `datasets/${dataset.id}/`));
  expect(used.date_last_used).toBe(done.date_launched);

  const lists: Record<string, Fields[]> = {};
  for (const name of ["sessions", "slates", "ratings", "raters", "results"])
    lists[name] = parsed<Fields[]>(
      await ask(
        service,
        `${at}${name}/${name === "raters" || name === "results" ? "" : "?training=true"}`,
      ),
    );
  return lists;
}

const versions = [
  ["0.8.3", "0.8.3"],
  ["0.8.3", "0.7.5"],
  ["0.7.5", "0.7.5"],
  ["0.7.5", "0.8.3"],
] as const;

test.each(versions)(
  "a study from dataset to results, exported and audited, records of %s, bodies of %s",
  async (version, bodies) => {
    const service = await startEmulator({ sample: false, apiVersion: version });
    try {
      const {
        sessions = [],
        slates = [],
        ratings = [],
        raters = [],
        results = [],
      } = await runStudy(service, version, bodies);
      const completed = sessions.filter((session) => session.date_completed !== null);
      expect(completed).toHaveLength(8);
      for (const session of completed) {
        const of = slates.filter((slate) => slate.session_id === session.id);
        expect(of.filter((slate) => slate.is_training === true)).toHaveLength(2);
        expect(of.filter((slate) => slate.is_training === false)).toHaveLength(6);
      }
      expect(ratings).toHaveLength(2 * slates.length);
      expect(new Set(slates.map((slate) => slate.id)).size).toBe(slates.length);
      expect(typeof raters[0]?.id).toBe(version === "0.8.3" ? "string" : "number");
      expect(results.map((result) => result.kind).sort()).toEqual([
        "bayesian_elo",
        "elo",
        "percent_chosen",
        "win_loss",
      ]);
      const billed = parsed<Fields[]>(await ask(service, "billing/events/"));
      expect(billed.map((event) => event.amount)).toEqual([9.2]);
      const report = await audited(service);
      expect(report.rows.length).toBeGreaterThan(40);
      expect(new Set(report.rows.map((row) => row.verdict))).toEqual(new Set(["exact"]));
      const { length: flags } = ratings.filter((one) => typeof one.is_correct === "boolean");
      expect(report.correctness).toEqual({
        compared: flags,
        equal: flags,
        compared_in: expect.any(Object) as unknown,
        different: [],
        inconclusive: [],
      });
    } finally {
      await service.close();
    }
  },
);

test("the same seed gives the same study, another seed another", async () => {
  const ratingsWith = async (seed: number): Promise<string> => {
    const service = await startEmulator({ sample: false, seed }, fixedClock);
    try {
      const { ratings } = await runStudy(service, "0.8.3", "0.8.3");
      return JSON.stringify(ratings);
    } finally {
      await service.close();
    }
  };
  const [first, again, other] = [await ratingsWith(1), await ratingsWith(1), await ratingsWith(2)];
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

const fixedClock = {
  now: () => new Date("2026-05-01T08:00:00Z"),
  monotonicMs: () => 0,
  sleep: () => Promise.resolve(),
};
