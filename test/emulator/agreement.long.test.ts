import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  apiVersions,
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
});
