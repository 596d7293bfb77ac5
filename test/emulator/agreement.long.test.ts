import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  apiVersions,
  bodies,
  operation,
  operationNamesIn,
  requestPath,
  pathParameters,
  type ApiVersion,
  type OperationName,
} from "../../src/contract/index.js";
import { openapi } from "../../src/contract/openapi.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { ask, parsed, plain, withKey, type Answer } from "../support/http-client.js";

type Json = Record<string, unknown>;

/** Validates a response by the OpenAPI document; returns the first error. */
function judge(version: ApiVersion): (name: OperationName, answer: Answer) => string | null {
  const document = JSON.parse(JSON.stringify(openapi(version))) as Json & {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content?: Record<string, { schema: Json }> }> }>
    >;
  };
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "openapi", ...document });
  return (name, answer) => {
    const { path, method } = operation(name);
    const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
    if (answer.status >= 500 || answer.status === 0)
      return `status ${answer.status}: ${answer.body.toString().slice(0, 300)}`;
    if (answer.status < 400 && !(answer.status in responses))
      return `status ${answer.status} is not in the document`;
    const content = (responses[answer.status] ?? responses.default)?.content?.["application/json"];
    if (content === undefined)
      return answer.body.length === 0 ? null : "a body where there should be none";
    if (answer.headers["content-type"] !== "application/json")
      return `content type ${String(answer.headers["content-type"])}`;
    const resolved = JSON.parse(
      JSON.stringify(content.schema).replaceAll('"#/', '"openapi#/'),
    ) as Json;
    const validate = ajv.compile(resolved);
    return validate(parsed(answer))
      ? null
      : `${ajv.errorsText(validate.errors)} in ${answer.body.toString().slice(0, 300)}`;
  };
}

const words: Record<string, string> = {
  ...{
    project_id: "Listen42",
    experiment_id: "Voices5",
    job_id: "KJV8UxWy",
    dataset_id: "Voices5Media",
    rubric_id: "SpeechCoding",
  },
  ...{
    leaderboard_id: "CallQuality",
    webhook_id: "HookLake2",
    organization_id: "Kestrel7",
    billing_id: "Acct2031",
  },
};

describe.each(apiVersions)("%s", (apiVersion) => {
  let service: RunningEmulator;
  const complaint = judge(apiVersion);
  beforeAll(async () => {
    service = await startEmulator({ apiVersion });
  });
  afterAll(() => service.close());

  test.each(operationNamesIn(apiVersion).filter((name) => operation(name).method === "GET"))(
    "%s responds as the OpenAPI document says",
    async (name) => {
      const key =
        operation(name).keyOf === "organization" ? service.keys.organizationOwner : service.apiKey;
      for (const experiment_id of [
        "Voices5",
        "Text2Image",
        "Music64k",
        "Cafeteria",
        "ShopWindow",
        "Afterwards",
      ]) {
        const job_id =
          parsed<{ id: string }[]>(await ask(service, `experiments/${experiment_id}/jobs/`))[0]
            ?.id ?? "";
        const answer = await plain(
          service.url + requestPath(name, { ...words, experiment_id, job_id }),
          {
            headers: withKey(key),
          },
        );
        expect(answer.status).toBe(200);
        expect(complaint(name, answer)).toBeNull();
        if (!pathParameters(name).includes("experiment_id")) break;
      }
    },
  );

  test("no request, valid or not, gives a 5xx or an answer outside its schema", async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(requests(apiVersion), async ({ name, params, query, key, body }) => {
        const path = operation(name).path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
          encodeURIComponent((params as Record<string, string>)[parameter] ?? "x"),
        );
        const headers = {
          ...(key === null ? {} : withKey(key)),
          ...(body === null ? {} : { "content-type": body.type }),
        };
        const answer = await plain(`${service.url}${path}${query}`, {
          method: operation(name).method,
          headers,
          ...(body === null ? {} : { body: body.text }),
        });
        expect(complaint(name, answer)).toBeNull();
        statuses.add(answer.status);
      }),
      // A fixed seed keeps the suite the same from run to run; raise numRuns to look further.
      { seed: 20261120, numRuns: 600 },
    );
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 401, 404, 415]));
  });
});

const boundary = "xRecountx";

function encoded(value: unknown): fc.Arbitrary<{ type: string; text: string }> {
  const fields = Object.entries(
    (typeof value === "object" && value !== null ? value : {}) as Json,
  ).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one]).map(
      (each) => [name, typeof each === "string" ? each : JSON.stringify(each)] as [string, string],
    ),
  );
  const form = new URLSearchParams(fields).toString();
  const parts = fields
    .map(
      ([name, text]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${encodeURIComponent(name)}"\r\n\r\n${text}\r\n`,
    )
    .join("");
  const json = JSON.stringify(value);
  return fc.constantFrom(
    { type: "application/json", text: json },
    { type: "application/json", text: json.slice(0, -1) },
    { type: "application/x-www-form-urlencoded", text: form },
    { type: `multipart/form-data; boundary=${boundary}`, text: `${parts}--${boundary}--\r\n` },
    { type: `multipart/form-data; boundary=${boundary}`, text: parts },
    { type: "multipart/form-data", text: parts },
    { type: "text/csv", text: json },
    { type: "application/json", text: "" },
  );
}

/** Values for the fields of a body, almost valid and far from valid. */
function bodyOf(name: OperationName): fc.Arbitrary<unknown> {
  const { body } = operation(name);
  if (body === undefined) return fc.constant({});
  const fields = new Set(
    apiVersions.flatMap((version) => Object.keys(bodies[body][version].properties)),
  );
  const near = fc.oneof(
    fc.integer({ min: -1, max: 5 }),
    fc.constantFrom(
      "randomized",
      "neighbour",
      "neighbor",
      "en",
      "pairwise_audio",
      "http://127.0.0.1:9/",
      "Voices5Media",
      "",
      "x",
    ),
    fc.constantFrom<unknown>(["Voices5Media"], [1], ["job.launched"], true, null, {
      dimensions: ["a"],
    }),
    fc.string({ unit: "binary", maxLength: 140 }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const object = fc.record(Object.fromEntries([...fields].map((field) => [field, near])), {
    requiredKeys: [],
  });
  return fc.oneof(
    { weight: 4, arbitrary: object },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

function requests(version: ApiVersion) {
  const identifier = (known: string) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(known) },
      fc.constantFrom("Nowhere1", "a-b", "0", "__proto__", "constructor"),
      fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 12 }),
    );
  const pair = fc.tuple(
    fc.constantFrom("training", "kind", "metric", "source", "x", "__proto__"),
    fc.oneof(
      fc.constantFrom("true", "false", "400", "elo", "stats", "Voices5", "CallQuality,Voices5", ""),
      fc.string({ unit: "binary", maxLength: 10 }),
    ),
  );
  return fc.constantFrom(...operationNamesIn(version)).chain((name) =>
    fc.record({
      name: fc.constant(name),
      params: fc.record(
        Object.fromEntries(
          pathParameters(name).map((parameter) => [parameter, identifier(words[parameter] ?? "x")]),
        ),
      ),
      query: fc.oneof(
        fc.constant(""),
        fc
          .array(pair, { maxLength: 3 })
          .map((pairs) => `?${new URLSearchParams(pairs).toString()}`),
        fc.constantFrom("?%", "?training=%ff", "?metric[]=elo"),
      ),
      key: fc.oneof(
        {
          weight: 8,
          arbitrary: fc.constant(
            name === "listOrganizationBillingEvents" ? "sampleOrganizationOwner" : "sampleBilling",
          ),
        },
        fc.constantFrom(null, "sampleMember", "sampleOther", "wrong"),
      ),
      body:
        operation(name).body === undefined
          ? fc.constant(null)
          : fc.oneof({ weight: 9, arbitrary: bodyOf(name).chain(encoded) }, fc.constant(null)),
    }),
  );
}
