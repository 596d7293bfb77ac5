import { readFileSync, writeFileSync } from "node:fs";
import { testProject } from "./project.js";

interface Summary {
  readonly exit_code: number | null;
  readonly ended_at: string | null;
  readonly runs: readonly { project: string; exit_code: number | null; error: string | null }[];
}

export const outputs = "outputs: { audit: '{project}/audit.json', summary: all.json, metrics: all.prom }";

/** Runs of a file with two projects of one organization: Listen42 with an experiment, Motion17 without any. */
export async function manyProjects() {
  const project = await testProject();
  const { path, recount, service } = project;
  const file = path("many.yaml");
  const read = (name: string) => readFileSync(path(name), "utf8");
  return {
    ...project,
    file,
    read,
    summary: () => JSON.parse(read("all.json")) as Summary,
    run: (yaml: string, args: readonly string[] = [], more: Record<string, string> = {}) => {
      writeFileSync(file, `service: { base_url: ${service.url} }\n${yaml}`);
      const key = service.keys.organizationBilling;
      return recount(["run", file, ...args], { RECOUNT_PROJECT_ID: "", RECOUNT_API_KEY: key, ...more });
    },
  };
}
