import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { ask, parsed, plain, withKey } from "../support/http-client.js";
import { testProject } from "../support/project.js";
import { isWhole } from "../support/whole.js";

const { service } = await testProject({});

const post = (type: string, body: string) =>
  plain(`${service.url}/projects/${service.projectId}/experiments/`, {
    method: "POST",
    headers: { ...withKey(service.apiKey), "content-type": type },
    body,
  });
const experiments = async () => (await ask(service, "experiments/")).body.toString();

describe("a body", () => {
  test.each([
    [
      "as JSON",
      "application/json",
      `{"name":"x","type":"y","config":${"[".repeat(9000)}${"]".repeat(9000)}}`,
    ],
    [
      "in a form",
      "application/x-www-form-urlencoded",
      `name=x&type=y&config=${'{"a":'.repeat(200)}1${"}".repeat(200)}`,
    ],
    [
      "in a field that nobody knows",
      "application/json",
      `{"name":"x","type":"y","z":${"[".repeat(9000)}`,
    ],
  ])("nested too deeply %s is refused and leaves no trace", async (_name, type, body) => {
    const before = await experiments();
    const answer = await post(type, body);
    expect([answer.status, parsed<{ code: string }>(answer).code]).toEqual([400, "invalid"]);
    expect(await experiments()).toBe(before);
  });

  test.each([
    "null",
    "5",
    "-0.5",
    "false",
    '"text"',
    '""',
    "[]",
    "[1,[null]]",
    '{"__proto__":{"x":1},"toString":2}',
  ])("keeps the config %s as sent", async (config) => {
    const created = await post(
      "application/json",
      `{"name":"n","type":"t","__proto__":{"y":1},"config":${config}}`,
    );
    expect(created.status).toBe(201);
    const { id } = parsed<{ id: string }>(created);
    const { body } = await ask(service, `experiments/${id}/`);
    expect(body.toString()).toContain(`"config":${config}`);
    expect((await ask(service, `experiments/${id}/ratings/`)).status).toBe(200);
  });

  test("has the same media type in any case", async () => {
    for (const type of ["Application/JSON", "APPLICATION/JSON; Charset=UTF-8"]) {
      expect((await post(type, '{"name":"n","type":"t"}')).status).toBe(201);
      expect((await post(type, '{"name":5,"type":"t"}')).status).toBe(400);
    }
    expect((await post("Application/X-WWW-Form-Urlencoded", "name=5&type=t")).status).toBe(201);
  });

  test("as multipart has as many fields as fit, with any names", async () => {
    const fields = [
      ["name", "Many"],
      ["type", "acr_audio"],
      ...Array.from({ length: 3000 }, () => ["datasets", "Voices5Media"]),
      ...["__proto__", "toString", "constructor"].map((name) => [name, "x"]),
    ];
    const body = fields
      .map(
        ([name, value]) =>
          `--xx\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join("");
    const answer = await post("Multipart/Form-Data; boundary=xx", `${body}--xx--\r\n`);
    expect(answer.status).toBe(201);
    expect(parsed<{ dataset_ids: string[] }>(answer).dataset_ids).toHaveLength(3000);
    const file =
      '--xx\r\nContent-Disposition: form-data; name="name"; filename="f"\r\n\r\nx\r\n--xx--\r\n';
    expect(parsed(await post("multipart/form-data; boundary=xx", file))).toMatchObject({
      detail: "Body: name is a file; only text is read.",
    });
  });
});

/** Sends bytes over a socket and returns the whole answer. */
const raw = (bytes: string) =>
  new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () =>
      socket.write(bytes),
    );
    socket.on("data", (piece) => (text += piece.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });

const key = "Authorization: Api-Key sampleBilling\r\nConnection: close\r\n";
const path = "/projects/Listen42/experiments/";

test.each([
  [
    "an address that cannot be decoded",
    `GET /projects/%zz/ HTTP/1.1\r\nHost: localhost\r\n${key}\r\n`,
    400,
    "invalid",
  ],
  [
    "an identifier of 5000 letters",
    `GET ${path}${"x".repeat(5000)}/ HTTP/1.1\r\nHost: localhost\r\n${key}\r\n`,
    404,
    "not_found",
  ],
  [
    "headers of 20 KB",
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n${key}\r\n`,
    431,
    "headers_too_large",
  ],
  [
    "an expectation that nobody knows",
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: the-best\r\n${key}\r\n`,
    417,
    "expectation_failed",
  ],
  ["something that is not HTTP", "HELLO\r\n\r\n", 400, "invalid"],
  ["no Host", `GET ${path} HTTP/1.1\r\n${key}\r\n`, 421, "misdirected_request"],
  [
    "a name that resolves to this machine",
    `GET ${path} HTTP/1.1\r\nHost: evil.example:80\r\n${key}\r\n`,
    421,
    "misdirected_request",
  ],
])("%s is answered in the documented shape", async (_name, bytes, status, code) => {
  const answer = await raw(bytes);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*content-type: application/json`, "is"));
  expect(JSON.parse(body)).toEqual({ detail: expect.any(String) as string, code });
});

test("of launches at once, one succeeds", async () => {
  const at = "experiments/Voices5/jobs/";
  const job = parsed<{ id: string }>(
    await ask(service, at, { method: "POST", body: { rater_pool: 3, num_sessions: 2 } }),
  );
  const { token } = parsed<{ token: string }>(await ask(service, `${at}${job.id}/costs/`));
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      ask(service, `${at}${job.id}/launch/`, { method: "POST", body: { token } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test.runIf(isWhole)("no session was updated before it was completed", async () => {
  const generated = await startEmulator({});
  let completed = 0;
  for (const { id } of parsed<{ id: string }[]>(await ask(generated, "experiments/")))
    for (const { date_updated: updated, date_completed: end } of parsed<
      Record<string, string | null>[]
    >(await ask(generated, `experiments/${id}/sessions/?training=true`))) {
      if (end === null) continue;
      completed += 1;
      expect(Date.parse(String(updated))).toBeGreaterThanOrEqual(Date.parse(String(end)));
    }
  expect(completed).toBeGreaterThan(500);
  await generated.close();
});

test("version 0.7.5 has no rater pools", async () => {
  const older = await startEmulator({ apiVersion: "0.7.5" });
  for (const spelling of ["rater-pools", "rater_pools"])
    expect((await ask(older, `experiments/Voices5/${spelling}/`)).status).toBe(404);
  await older.close();
});
