import { Ajv2020 } from "ajv/dist/2020.js";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { kinds } from "../../src/metrics/index.js";
import { parsePipeline } from "../../src/pipeline/read-pipeline.js";
import { pipelineSchema } from "../../src/pipeline/schema.js";
import { forEditors, schemaText } from "../support/describe-schema.js";
import { read } from "../support/root.js";

const parse = (text: string, env: Record<string, string> = {}) =>
  parsePipeline("p.yaml", text, env);

describe("a pipeline file", () => {
  it("may be empty: every key has a default or comes from flags and environment", () => {
    expect(parse("")).toEqual({});
  });

  it("replaces environment variables, with defaults, and converts them to numbers where needed", () => {
    const text = [
      "service:",
      "  base_url: http://${HOST}:${PORT:-8000}",
      "  project: ${PROJECT}",
      "export:",
      "  concurrency: ${WORKERS}",
      "  keep_raw: ${RAW}",
    ].join("\n");
    expect(parse(text, { HOST: "127.0.0.1", PROJECT: "123", WORKERS: "3", RAW: "false" })).toEqual({
      service: { base_url: "http://127.0.0.1:8000", project: "123" },
      export: { concurrency: 3, keep_raw: false },
    });
  });

  it.each([
    [
      "service:\n  adress: x",
      "p.yaml, line 2: unknown key service.adress. Known here: base_url, project, key_file, ca_file, client_cert, client_key, organization, billing.",
    ],
    [
      "export:\n  concurrency: many",
      'p.yaml, line 2: export.concurrency must be a whole number from 1 to 64, not "many".',
    ],
    [
      "tables:\n  - ratings\n  - rating",
      "p.yaml, line 3: tables, entry 2 must be one of experiments, ",
    ],
    [
      "conventions:\n  elo:\n    K: 16",
      "p.yaml, line 3: unknown key conventions.elo.K. Did you mean k? Known here: k, start",
    ],
    [
      "conventions:\n  training: maybe",
      'p.yaml, line 2: conventions.training must be one of exclude, include, not "maybe".',
    ],
    [
      "tolerances:\n  elo: much",
      'p.yaml, line 2: tolerances.elo must be a number of at least 0 or a map, for example { absolute: 0 }, not "much".',
    ],
    [
      "accept:\n  - experiment: Voices5\n    kind: elo\n    convention: k=16",
      "p.yaml, line 2: accept, entry 1 needs reason, for example reason: training counts in this study.",
    ],
    [
      "accept:\n  - { experiment: Voices5, kind: elo, convention: k=16, reason: '' }",
      "p.yaml, line 2: accept, entry 1, reason must be text that is not empty, for example ",
    ],
    [
      "accept: 3",
      `p.yaml, line 1: accept must be a list, for example [{ experiment: Codecs16k, kind: ${kinds[0]}, convention: training=include, reason: training counts in this study }], not 3.`,
    ],
    [
      "engine: spark",
      "p.yaml, line 1: engine must be duckdb or a map, for example { spark: { connect: sc://host:15002 } }",
    ],
    [
      "projects: [A, A]",
      'p.yaml, line 1: projects must not have the same entry twice, not ["A","A"].',
    ],
    [
      "selection: { ids: [a/b] }",
      "p.yaml, line 1: selection.ids, entry 1 must be text of letters, digits, `.`, `_` and `-`, for example Codecs16k, not",
    ],
    [
      "projects: [study-1.b_2, ../x]",
      "p.yaml, line 1: projects, entry 2 must be text of letters, digits, `.`, `_` and `-`, for example Listen42, not",
    ],
    [
      "schedule: { cron: 0 2 * * }",
      "p.yaml, line 1: schedule.cron must be text (Minute, hour, day of the month, month and day of the week), for example 0 2 * * *, not",
    ],
    [
      "service:\n  base_url: ${NOWHERE}",
      "p.yaml, line 2: the environment variable NOWHERE is not set.",
    ],
    ["a: [1", "p.yaml, line 1, column 6: not valid YAML:"],
    [
      "- 1\n- 2",
      "p.yaml, line 1: the file must be a map, for example { service: { base_url: https://api.example.org } }, not [1,2].",
    ],
    ["lake: a\nlake: b", "p.yaml, line 2, column 1: not valid YAML: Map keys must be unique"],
  ])("is rejected in one line: %j", (text, message) => {
    let thrown: unknown;
    try {
      parse(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: "UsageError", exitCode: 4 });
    const said = (thrown as Error).message;
    expect(said).toContain(message);
    expect(said).not.toContain("\n");
  });

  it("does not need a variable whose value a flag gives", () => {
    const text = "service:\n  base_url: ${NOWHERE}\n  project: ${NO_PROJECT}\nlake: ${LAKE:-here}";
    const given = {
      "service.base_url": "http://x/${Y}",
      "service.project": "p",
      "service.key_file": "k",
      lake: undefined,
    };
    expect(parsePipeline("p.yaml", text, {}, { given })).toEqual({
      service: { base_url: "http://x/${Y}", project: "p" },
      lake: "here",
    });
    expect(() =>
      parsePipeline("p.yaml", text, {}, { given: { ...given, "service.project": undefined } }),
    ).toThrow("line 3: the environment variable NO_PROJECT is not set");
    expect(() => parsePipeline("p.yaml", "- 1", {}, { given })).toThrow("the file must be a map");
  });

  it("can be read for some keys without the variables of the others, whose names are still checked", () => {
    const only = ["conventions"] as const;
    const text = 'service:\n  base_url: ${NOWHERE}\nconventions:\n  elo: { k: "${K:-16}" }';
    expect(parsePipeline("p.yaml", text, {}, { only })).toEqual({
      conventions: { elo: { k: 16 } },
    });
    expect(() => parsePipeline("p.yaml", `${text}\nservices: 1`, {}, { only })).toThrow(
      "line 5: unknown key services",
    );
    expect(() => parsePipeline("p.yaml", text.replace(":-16", ""), {}, { only })).toThrow(
      "line 4: the environment variable K is not set",
    );
  });

  it("has its schema published as docs/reference/pipeline.schema.json (`npm run docs` updates it)", async () => {
    const text = schemaText("pipeline", forEditors(pipelineSchema));
    await expect(text).toMatchFileSnapshot("../../docs/reference/pipeline.schema.json");
  });

  it("is valid for its published schema in every example, with variables", () => {
    const validate = new Ajv2020({ strict: false }).compile(forEditors(pipelineSchema));
    const root = join(import.meta.dirname, "../..");
    const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
    const files = pages
      .filter((name) => name.endsWith(".md"))
      .flatMap((name) => readFileSync(join(root, "docs", name), "utf8").split(/^```/m))
      .flatMap((text) => (text.startsWith("yaml\n") ? [text.slice(5)] : []))
      .concat(read("pipelines/nightly.yaml"))
      .map((text) => parseYaml(text) as object)
      .filter((file) => Object.keys(file).every((key) => key in pipelineSchema.properties));
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) expect([validate(file), validate.errors]).toEqual([true, null]);
    expect(validate({ service: { project: "a/b" } })).toBe(false);
  });
});
