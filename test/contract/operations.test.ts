import { describe, expect, it } from "vitest";
import {
  checkIdentifier,
  recordColumns,
  operation,
  operationNames,
  requestPath,
  pathParameters,
  secretFields,
  tableColumns,
} from "../../src/contract/index.js";
import { read } from "../support/root.js";

const page = read("docs/reference/service-api.md");
const specified = [
  ...page.matchAll(/^\| ([A-Z]+) \| (\/\S+) \| .* \| (?:(\d{3})\b|permanently deletes)/gm),
].map(([, method = "", path = "", status = "204"]) => `${method} ${path} ${status}`);

describe("operations", () => {
  it("are the 30 of the specification, in its order", () => {
    const ours = operationNames.map((name) => {
      const { method, path, status } = operation(name);
      return `${method} ${path} ${status}`;
    });
    expect(specified).toHaveLength(30);
    expect(ours).toEqual(specified);
  });

  it("fill identifiers into the path", () => {
    expect(pathParameters("getJob")).toEqual(["project_id", "experiment_id", "job_id"]);
    expect(requestPath("getJob", { project_id: "p1", experiment_id: "x2", job_id: "j3" })).toBe(
      "/projects/p1/experiments/x2/jobs/j3/",
    );
  });

  it.each(["", "a b", "../x", "a/b", "é", "a\n", "a-b", "%61"])(
    "refuse %j as an identifier",
    (text) => {
      expect(() => checkIdentifier("job_id", text)).toThrow(
        `job_id ${JSON.stringify(text)} is not an identifier`,
      );
    },
  );

  it("name a missing identifier", () => {
    expect(() => requestPath("listJobs", { project_id: "p1" })).toThrow(
      "listJobs needs experiment_id.",
    );
  });
});

describe("columns", () => {
  it("leave out secrets and embedded lists", () => {
    expect(secretFields("webhook")).toEqual(["secret"]);
    expect(recordColumns("webhook").map(({ name }) => name)).not.toContain("secret");
    expect(recordColumns("slate").map(({ name }) => name)).not.toContain("ratings");
  });

  it("keep a record's own experiment_id beside the partition's, and the unknown fields last", () => {
    const sessions = tableColumns("sessions").map(({ name }) => name);
    expect(sessions).toContain("reported_experiment_id");
    expect(sessions).not.toContain("experiment_id");
    expect(sessions.at(-1)).toBe("_meta");
  });
});
