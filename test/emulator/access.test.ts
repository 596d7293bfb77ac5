import { describe, expect, test } from "vitest";
import {
  operation,
  operationNames,
  requestPath,
  type OperationName,
} from "../../src/contract/index.js";
import { startEmulator } from "../../src/emulator/index.js";
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

const notPermitted = { status: 403, code: "permission_denied" };

const unknownCallers: Record<string, string>[] = [
  {},
  withKey("wrong"),
  { authorization: "Bearer sampleBilling" },
  { cookie: "sessionid=wrong" },
  { authorization: "Basic d3Jvbmc6d3Jvbmc=" },
];

describe("authentication and roles", () => {
  test("a missing key, a wrong key and an unknown scheme are rejected", async () => {
    for (const headers of unknownCallers)
      expect(await asked(urlOf("listExperiments"), headers)).toEqual({
        status: 401,
        code: "not_authenticated",
      });
    for (const name of operationNames)
      expect((await asked(urlOf(name), {}, operation(name).method)).status).toBe(401);
  });

  test("nothing is shown of another project", async () => {
    const unknown = { status: 404, code: "not_found" };
    for (const name of ["listExperiments", "createDataset", "listBillingEvents"] as const) {
      const { method } = operation(name);
      expect(await asked(urlOf(name), withKey(service.keys.other), method)).toEqual(unknown);
      const nowhere = urlOf(name, { project_id: "Nowhere1" });
      expect(await asked(nowhere, withKey(service.apiKey), method)).toEqual(unknown);
    }
  });

  test("basic and cookie authentication suffice where no role is required", async () => {
    const basic = { authorization: `Basic ${Buffer.from("ana:sample").toString("base64")}` };
    const cookie: Record<string, string> = { cookie: "theme=dark; sessionid=sampleCookie" };
    for (const headers of [basic, cookie]) {
      expect((await plain(urlOf("listExperiments"), { headers })).status).toBe(200);
      expect(await asked(urlOf("listBillingEvents"), headers)).toEqual(notPermitted);
    }
  });

  test("project billing requires a billing manager's key", async () => {
    const url = urlOf("listBillingEvents");
    for (const key of [service.keys.member, service.keys.owner])
      expect(await asked(url, withKey(key))).toEqual(notPermitted);
    const events = parsed<{ date_created: string }[]>(
      await plain(url, { headers: withKey(service.keys.billing) }),
    );
    const dates = events.map((event) => event.date_created);
    expect(dates.length).toBeGreaterThan(5);
    expect(dates).toEqual(dates.toSorted().reverse());
  });

  test("organization billing requires an organization key of an owner or billing manager", async () => {
    const { billing, organizationMember, organizationBilling, organizationOwner } = service.keys;
    const url = urlOf("listOrganizationBillingEvents");
    for (const key of [billing, organizationMember])
      expect(await asked(url, withKey(key))).toEqual(notPermitted);
    for (const key of [organizationBilling, organizationOwner])
      expect((await plain(url, { headers: withKey(key) })).status).toBe(200);
    for (const other of [{ organization_id: "Other1" }, { billing_id: "Other1" }])
      expect(
        await asked(urlOf("listOrganizationBillingEvents", other), withKey(organizationOwner)),
      ).toMatchObject({ status: 404 });
  });

  test("a request that names another host is refused", async () => {
    const headers = { ...withKey(service.apiKey), host: "evil.example:80" };
    expect(await asked(urlOf("listExperiments"), headers)).toEqual({
      status: 421,
      code: "misdirected_request",
    });
  });
});

describe("identifiers, slashes, methods", () => {
  test("other methods get 405 with the allowed ones", async () => {
    const answer = await ask(service, "webhooks/HookLake2/", { method: "PUT" });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow?.split(", ").sort()).toEqual(["DELETE", "GET", "PATCH"]);
    expect((await ask(service, "experiments/", { method: "DELETE" })).status).toBe(405);
  });

  test("version 0.7.5 has no rater pools", async () => {
    const older = await startEmulator({ apiVersion: "0.7.5" });
    for (const spelling of ["rater-pools", "rater_pools"])
      expect((await ask(older, `experiments/Voices5/${spelling}/`)).status).toBe(404);
    await older.close();
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
