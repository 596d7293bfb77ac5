import { expect, test } from "vitest";
import { ask, parsed, plain, withKey } from "../support/http-client.js";
import { testProject } from "../support/project.js";

const { service } = await testProject({});

const send = (path: string, type: string, body: string, method = "POST") =>
  plain(`${service.url}/projects/${service.projectId}/${path}`, {
    method,
    headers: { ...withKey(service.apiKey), "content-type": type },
    body,
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
