import { expect, test } from "vitest";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { ask, parsed, plain, withKey } from "../support/http-client.js";
import { testProject } from "../support/project.js";
import { systemClock } from "../../src/platform/index.js";

const { service } = await testProject({});

const send = (path: string, type: string, body: string, method = "POST") =>
  plain(`${service.url}/projects/${service.projectId}/${path}`, {
    method,
    headers: { ...withKey(service.apiKey), "content-type": type },
    body,
  });

const multipart = (fields: readonly (readonly [string, string])[]) =>
  `${fields.map(([name, value]) => `--xx\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join("")}--xx--\r\n`;

const fields: [string, string][] = [
  ["name", "Forms"],
  ["type", "acr_audio"],
  ["language", "fr"],
  ["datasets", "Voices5Media"],
  ["datasets", "Music64kMedia"],
  ["config", '{"dimensions":["quality"]}'],
];

test("the same experiment as JSON, form and multipart", async () => {
  const json = {
    name: "Forms",
    type: "acr_audio",
    language: "fr",
    datasets: ["Voices5Media", "Music64kMedia"],
    config: { dimensions: ["quality"] },
  };
  const answers = [
    await send("experiments/", "application/json", JSON.stringify(json)),
    await send("experiments/", "application/json; charset=utf-8", JSON.stringify(json)),
    await send(
      "experiments/",
      "application/x-www-form-urlencoded",
      new URLSearchParams(fields).toString(),
    ),
    await send("experiments/", "multipart/form-data; boundary=xx", multipart(fields)),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(201);
    expect(parsed(answer)).toMatchObject({
      name: "Forms",
      type: "acr_audio",
      language: "fr",
      dataset_ids: ["Voices5Media", "Music64kMedia"],
      config: { dimensions: ["quality"] },
    });
  }
});

test.each(["null", "5", "-0.5", "false", '"text"', '""', "[]", "[1,[null]]"])(
  "keeps the config %s as sent",
  async (config) => {
    const body = `{"name":"n","type":"t","config":${config}}`;
    const { id } = parsed<{ id: string }>(await send("experiments/", "application/json", body));
    const { body: detail } = await ask(service, `experiments/${id}/`);
    expect(detail.toString()).toContain(`"config":${config}`);
    expect((await ask(service, `experiments/${id}/ratings/`)).status).toBe(200);
  },
);

test("a body has the same media type in any case", async () => {
  for (const type of ["Application/JSON", "APPLICATION/JSON; Charset=UTF-8"]) {
    expect((await send("experiments/", type, '{"name":"n","type":"t"}')).status).toBe(201);
    expect((await send("experiments/", type, '{"name":5,"type":"t"}')).status).toBe(400);
  }
  const form = await send("experiments/", "Application/X-WWW-Form-Urlencoded", "name=5&type=t");
  expect(form.status).toBe(201);
});

test("a job in a form, and datasets by number", async () => {
  const job = new URLSearchParams({
    rater_pool: "3",
    num_sessions: "4",
    strategy: "active",
    note: "soon",
  });
  const answer = await send(
    "experiments/Subtitles/jobs/",
    "application/x-www-form-urlencoded",
    job.toString(),
  );
  expect(answer.status).toBe(201);
  expect(parsed(answer)).toMatchObject({
    num_sessions: 4,
    num_comparisons: 10,
    status: "draft",
    config: { strategy: "active", note: "soon" },
    rater_pool: { id: "Pool3Crowd" },
  });
  const byNumber = parsed<{ dataset_ids: string[] }>(
    await send(
      "experiments/",
      "application/json",
      JSON.stringify({ name: "n", type: "acr_audio", datasets: [2] }),
    ),
  );
  const listed = parsed<{ id: string }[]>(await ask(service, "datasets/"));
  expect(byNumber.dataset_ids).toEqual([listed[1]?.id]);
});

test("an invalid body is rejected with the name of the field", async () => {
  const refused: [string, string, string][] = [
    ["experiments/", '{"type":"x"}', "name"],
    ["experiments/", '{"name":5,"type":"x"}', "name"],
    ["experiments/", '{"name":"x","type":"x","language":"tlh"}', "language"],
    ["experiments/", '{"name":"x","type":"x","datasets":["gone"]}', "datasets.0"],
    ["experiments/Voices5/jobs/", '{"rater_pool":99,"num_sessions":1}', "rater_pool"],
    ["experiments/Voices5/jobs/", '{"rater_pool":3,"num_sessions":0}', "num_sessions"],
    [
      "experiments/Voices5/jobs/",
      '{"rater_pool":3,"num_sessions":1,"strategy":"best"}',
      "strategy",
    ],
    ...["1e300", "2.5", "100001", "-1", "9007199254740993"].map(
      (number): [string, string, string] => [
        "experiments/Voices5/jobs/",
        `{"rater_pool":3,"num_sessions":${number}}`,
        "num_sessions",
      ],
    ),
    [
      "experiments/Voices5/jobs/",
      '{"rater_pool":3,"num_sessions":1,"min_rest_time":525601}',
      "min_rest_time",
    ],
    ["experiments/", '{"name":"x","version":1e300}', "type"],
    ["webhooks/", '{"url":"ftp://x/"}', "url"],
    ["webhooks/", '{"url":"https://"}', "url"],
    ["webhooks/", '{"url":"https://x/","events":["gone"]}', "events.0"],
    ["datasets/", `{"name":"${"x".repeat(65)}","filename":"f"}`, "name"],
  ];
  for (const [path, body, field] of refused) {
    const answer = await send(path, "application/json", body);
    expect(answer.status, body).toBe(400);
    expect(
      parsed<{ errors: { field: string }[] }>(answer).errors.map((error) => error.field),
    ).toContain(field);
  }
});

test("413, 415 and bodies that cannot be read", async () => {
  expect(
    (
      await send(
        "experiments/",
        "application/json",
        JSON.stringify({ name: "x".repeat(1_100_000) }),
      )
    ).status,
  ).toBe(413);
  expect((await send("experiments/", "text/csv", "a,b")).status).toBe(415);
  for (const body of ["{", "[]", "5", "null"])
    expect((await send("experiments/", "application/json", body)).status).toBe(400);
  expect((await send("webhooks/HookLake2/", "application/json", "", "PATCH")).status).toBe(200);
});

test("a launch needs an unexpired, unused costs token of the same job", async () => {
  const make = async (where: RunningEmulator) =>
    parsed<{ id: string }>(
      await ask(where, "experiments/Voices5/jobs/", {
        method: "POST",
        body: { rater_pool: 3, num_sessions: 2 },
      }),
    ).id;
  const costs = async (where: RunningEmulator, id: string) =>
    parsed<{ token: string; token_expires_in: number }>(
      await ask(where, `experiments/Voices5/jobs/${id}/costs/`),
    );
  const launch = (where: RunningEmulator, id: string, token: string) =>
    ask(where, `experiments/Voices5/jobs/${id}/launch/`, { method: "POST", body: { token } });
  const [one, other] = [await make(service), await make(service)];
  const { token, token_expires_in } = await costs(service, one);
  expect(token_expires_in).toBe(900);
  expect((await launch(service, one, "made-up")).status).toBe(400);
  expect((await launch(service, other, token)).status).toBe(400);
  expect((await launch(service, one, token)).status).toBe(200);
  expect((await launch(service, one, token)).status).toBe(409);
  expect((await launch(service, one, (await costs(service, one)).token)).status).toBe(409);
  const clock = { ...systemClock, ahead: 0, now: () => new Date(Date.now() + clock.ahead) };
  const brief = await startEmulator({}, clock);
  const job = await make(brief);
  const expiring = await costs(brief, job);
  clock.ahead = 901_000;
  const late = await launch(brief, job, expiring.token);
  expect([late.status, parsed<{ detail: string }>(late).detail]).toEqual([
    400,
    "Body: token has expired; ask for the costs again.",
  ]);
  await brief.close();
});

test("a job without stimuli cannot be launched", async () => {
  const empty = parsed<{ id: string }>(
    await ask(service, "experiments/", {
      method: "POST",
      body: { name: "Empty", type: "pairwise_audio" },
    }),
  );
  const job = parsed<{ id: string }>(
    await ask(service, `experiments/${empty.id}/jobs/`, {
      method: "POST",
      body: { rater_pool: 3, num_sessions: 2 },
    }),
  );
  const at = `experiments/${empty.id}/jobs/${job.id}/`;
  const { token } = parsed<{ token: string }>(await ask(service, `${at}costs/`));
  const answer = await ask(service, `${at}launch/`, { method: "POST", body: { token } });
  expect([answer.status, parsed<{ detail: string }>(answer).detail]).toEqual([
    409,
    "The experiment has 0 conditions; it needs 2 or more.",
  ]);
});
