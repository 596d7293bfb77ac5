import { describe, expect, test } from "vitest";
import {
  operation,
  operationNames,
  requestPath,
  pathParameters,
  type OperationName,
} from "../../src/contract/index.js";
import { ask, parsed, plain, withKey } from "../support/http-client.js";
import { testProject } from "../support/project.js";

const { service } = await testProject({});

const known: Record<string, string> = {
  project_id: "Listen42",
  experiment_id: "Voices5",
  job_id: "None1",
  dataset_id: "Voices5Media",
  rubric_id: "SpeechCoding",
  leaderboard_id: "CallQuality",
  webhook_id: "HookLake2",
  organization_id: "Kestrel7",
  billing_id: "Acct2031",
};
const urlOf = (name: OperationName, changed: Record<string, string> = {}): string =>
  service.url + requestPath(name, { ...known, ...changed });
const asked = async (url: string, headers: Record<string, string>, method = "GET") => {
  const answer = await plain(url, { method, headers });
  return { status: answer.status, code: parsed<{ code?: string }>(answer).code };
};

const unknownCallers: Record<string, string>[] = [
  {},
  withKey("wrong"),
  { authorization: "Bearer sampleBilling" },
  { cookie: "sessionid=wrong" },
  { authorization: "Basic d3Jvbmc6d3Jvbmc=" },
];

describe("authentication and roles", () => {
  test.each(operationNames)(
    "%s rejects a missing key, a wrong key and an unknown scheme",
    async (name) => {
      const { method } = operation(name);
      for (const headers of unknownCallers)
        expect(await asked(urlOf(name), headers, method)).toEqual({
          status: 401,
          code: "not_authenticated",
        });
    },
  );

  test.each(operationNames.filter((name) => pathParameters(name).includes("project_id")))(
    "%s shows nothing of another project",
    async (name) => {
      const { method } = operation(name);
      expect(await asked(urlOf(name), withKey(service.keys.other), method)).toEqual({
        status: 404,
        code: "not_found",
      });
      expect(
        await asked(urlOf(name, { project_id: "Nowhere1" }), withKey(service.apiKey), method),
      ).toEqual({
        status: 404,
        code: "not_found",
      });
    },
  );

  test("basic and cookie authentication suffice where no role is required", async () => {
    const basic = { authorization: `Basic ${Buffer.from("ana:sample").toString("base64")}` };
    const cookie: Record<string, string> = { cookie: "theme=dark; sessionid=sampleCookie" };
    for (const headers of [basic, cookie]) {
      expect((await plain(urlOf("listExperiments"), { headers })).status).toBe(200);
      expect(await asked(urlOf("listBillingEvents"), headers)).toEqual({
        status: 403,
        code: "permission_denied",
      });
    }
  });

  test("project billing requires a billing manager's key", async () => {
    const url = urlOf("listBillingEvents");
    expect(await asked(url, withKey(service.keys.member))).toEqual({
      status: 403,
      code: "permission_denied",
    });
    expect(await asked(url, withKey(service.keys.owner))).toEqual({
      status: 403,
      code: "permission_denied",
    });
    const events = parsed<{ date_created: string }[]>(
      await plain(url, { headers: withKey(service.keys.billing) }),
    );
    const dates = events.map((event) => event.date_created);
    expect(dates.length).toBeGreaterThan(5);
    expect(dates).toEqual(dates.toSorted().reverse());
  });

  test("organization billing requires an organization key of an owner or billing manager", async () => {
    const url = urlOf("listOrganizationBillingEvents");
    expect(await asked(url, withKey(service.keys.billing))).toEqual({
      status: 403,
      code: "permission_denied",
    });
    expect(await asked(url, withKey(service.keys.organizationMember))).toEqual({
      status: 403,
      code: "permission_denied",
    });
    for (const key of [service.keys.organizationBilling, service.keys.organizationOwner])
      expect((await plain(url, { headers: withKey(key) })).status).toBe(200);
    expect(
      (
        await asked(
          urlOf("listOrganizationBillingEvents", { organization_id: "Other1" }),
          withKey(service.keys.organizationOwner),
        )
      ).status,
    ).toBe(404);
    expect(
      (
        await asked(
          urlOf("listOrganizationBillingEvents", { billing_id: "Other1" }),
          withKey(service.keys.organizationOwner),
        )
      ).status,
    ).toBe(404);
  });
});

describe("identifiers, slashes, methods", () => {
  test("an identifier with other characters is rejected", async () => {
    for (const id of ["a-b", "a%20b", "a.b", "%C3%A9", "..%2F.."])
      expect((await ask(service, `experiments/${id}/`)).status).toBe(400);
  });

  test("a path without a final slash, or with two, is not found", async () => {
    for (const path of [
      "experiments",
      "experiments/Voices5",
      "experiments/Voices5//",
      "experiments//",
    ])
      expect((await ask(service, path)).status).toBeGreaterThanOrEqual(400);
    expect(parsed(await ask(service, "experiments"))).toMatchObject({ code: "not_found" });
  });

  test("other methods get 405 with the allowed ones", async () => {
    const answer = await ask(service, "webhooks/HookLake2/", { method: "PUT" });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow?.split(", ").sort()).toEqual(["DELETE", "GET", "PATCH"]);
    expect((await ask(service, "experiments/", { method: "DELETE" })).status).toBe(405);
  });

  test("both spellings of rater pools, and their kind", async () => {
    const [hyphen, underline] = [
      await ask(service, "experiments/Voices5/rater-pools/"),
      await ask(service, "experiments/Voices5/rater_pools/"),
    ];
    expect(hyphen.body.equals(underline.body)).toBe(true);
    expect(
      parsed<{ kind: number }[]>(
        await ask(service, "experiments/Voices5/rater-pools/?kind=600"),
      ).map(({ kind }) => kind),
    ).toEqual([600]);
    for (const kind of ["5", "x", "", "400.5"])
      expect((await ask(service, `experiments/Voices5/rater-pools/?kind=${kind}`)).status).toBe(
        400,
      );
  });
});
