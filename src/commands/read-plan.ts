import { resolve } from "node:path";
import type { Pipeline, Plan, ProjectPipeline } from "../pipeline/index.js";
import type { ConnectionArguments } from "./connection.js";
import type { EngineArguments } from "./engine.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A pipeline file, and the flags that take precedence over it. */
export interface PlanArguments extends ConnectionArguments {
  file: string;
  lake: string | undefined;
  "allow-shrink"?: boolean;
  engine?: EngineArguments["engine"];
}

export const lakeFlag = {
  lake: { type: "string", describe: "Folder of the lake; takes precedence over the file" },
} as const;

/** Reads a pipeline file. Flags take precedence over the environment, the environment over the file. @throws UsageError. */
export async function readPlan(args: PlanArguments, env: Environment): Promise<{ pipeline: Pipeline; plan: Plan }> {
  const { located } = await import("../objects/index.js");
  const { chosenEngine, planOf, readPipeline } = await import("../pipeline/index.js");
  const isSet = (name: string) => env[name] !== undefined && env[name] !== "";
  const absolute = (path: string | undefined) => (path === undefined ? undefined : resolve(path));
  const service = {
    base_url: args["base-url"] ?? (isSet("RECOUNT_BASE_URL") ? env.RECOUNT_BASE_URL : undefined),
    key_file: absolute(args["key-file"]),
    ca_file: absolute(args["ca-file"]),
    client_cert: absolute(args["client-cert"]),
    client_key: absolute(args["client-key"]),
  };
  const only = isSet("RECOUNT_PROJECT_ID") ? env.RECOUNT_PROJECT_ID : undefined;
  const lake = args.lake === undefined ? undefined : located(args.lake);
  const pipeline = await readPipeline(args.file, env, {
    given: {
      "service.base_url": service.base_url,
      "service.project": args.project ?? only,
      "service.key_file": service.key_file,
      lake,
    },
  });
  // A file with projects says which ones; the variable of one project does not choose among them.
  const project = args.project ?? (pipeline.projects === undefined ? only : undefined);
  const shrink = args["allow-shrink"] ? { allow_shrink: true } : {};
  const engine = await chosenEngine(args.engine, pipeline.engine, env);
  const given = { service: { ...service, project }, lake, export: shrink, engine } as ProjectPipeline;
  return { pipeline, plan: await planOf(pipeline, args.file, given) };
}
