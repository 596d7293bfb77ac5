import { checkIdentifier } from "../contract/index.js";
import { listed, UsageError } from "../platform/index.js";
import { outputNames } from "./outputs.js";
import type { Pipeline, ProjectPipeline } from "./schema.js";
import { settingsOf, type Settings } from "./settings.js";

/** What a pipeline file runs. */
export interface Plan {
  /** The settings of each project of the file, in its order. */
  readonly all: readonly Settings[];
  /** Those of the projects that run. */
  readonly projects: readonly Settings[];
  /** Whether the file names `projects`, even if it is only one of them that runs. */
  readonly isMany: boolean;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `base` with the values of `over`: maps are merged, anything else is replaced. */
function merged<T>(base: T, over: unknown): T {
  if (over === undefined) return base;
  if (!isMap(base) || !isMap(over)) return over as T;
  const both = Object.entries(over).map(([key, value]) => [key, merged(base[key], value)]);
  return { ...base, ...Object.fromEntries(both) } as T;
}

const namesOf = ({ projects = [] }: Pick<Pipeline, "projects">) =>
  Array.isArray(projects) ? projects : Object.keys(projects);

/** The pipeline of one project: the keys of the file, with those that it overrides. */
export function pipelineOf({ projects = {}, ...common }: Pipeline, project: string | undefined): ProjectPipeline {
  const own = Array.isArray(projects) || project === undefined ? undefined : projects[project];
  return merged(common, own ?? undefined);
}

/** @throws UsageError if two projects would write the same file of results. */
function checkApart(file: string, projects: readonly Settings[]): void {
  for (const name of outputNames) {
    const writers = projects.filter(({ outputs }) => outputs[name] !== undefined);
    const same = writers.find((one, i) => writers.findIndex((other) => other.outputs[name] === one.outputs[name]) < i);
    if (same)
      throw new UsageError(
        `${file}: outputs.${name} is the same file for several projects. Put {project} in its path.`,
      );
  }
}

/**
 * What the pipeline of `file` runs: its `projects`, or the one that `given` or `service.project` names.
 * @param given values that take precedence over the file; its project chooses one of `projects`
 * @throws UsageError.
 */
export function planOf(pipeline: Pipeline, file: string, given: ProjectPipeline = {}): Plan {
  const isMany = pipeline.projects !== undefined;
  const chosen = given.service?.project;
  if (!isMany) {
    const all = [settingsOf(merged(pipelineOf(pipeline, undefined), given), file)];
    return { all, projects: all, isMany };
  }
  const names = namesOf(pipeline);
  for (const name of names) {
    checkIdentifier(`${file}: the project`, name);
    if (pipelineOf(pipeline, name).service?.project !== undefined)
      throw new UsageError(
        `${file}: service.project and projects exclude each other. Name the project in projects only.`,
      );
  }
  if (chosen !== undefined && !names.includes(chosen))
    throw new UsageError(`${file}: ${chosen} is none of its projects: ${listed(names)}.`);
  const all = names.map((project) =>
    settingsOf(merged(merged(pipelineOf(pipeline, project), given), { service: { project } }), file),
  );
  checkApart(file, all);
  return { all, projects: all.filter(({ project }) => chosen === undefined || project === chosen), isMany };
}
