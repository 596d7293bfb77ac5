/** Reads pipeline files: variables, the schema, and what no schema can say. */
import { isMap, isScalar, type Scalar, visit } from "yaml";
import {
  messageOf,
  readText,
  schemaErrors,
  systemClock,
  UsageError,
  type Environment,
  type SchemaError,
  type ValuePath,
} from "../platform/index.js";
import { fromPack } from "../packs.js";
import { parsedYaml, refuseFile, yamlSource, type YamlSource } from "../yaml/index.js";
import { noticeEventNames } from "./notices.js";
import { type Pipeline, pipelineSchema } from "./schema.js";

const variableReference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` in every value, in place; keys and `settled` values
 * stay. Returns the values that came from the environment: they are text, even where the schema
 * wants another type.
 * @throws UsageError with file, line and variable when one is not set
 */
function substituteVariables(
  source: YamlSource,
  env: Environment,
  settled: ReadonlySet<Scalar> = new Set(),
): Set<Scalar> {
  const replaced = new Set<Scalar>();
  visit(source.document, {
    Scalar(key, node) {
      if (
        key === "key" ||
        settled.has(node) ||
        typeof node.value !== "string" ||
        !node.value.includes("${")
      )
        return;
      node.value = node.value.replace(
        variableReference,
        (_, name: string, fallback: string | undefined) => {
          const value = env[name] ?? fallback;
          if (value !== undefined) return value;
          const line = source.lineOfNode(node);
          throw new UsageError(
            `${source.file}, line ${line}: the environment variable ${name} is not set.`,
          );
        },
      );
      replaced.add(node);
    },
  });
  return replaced;
}

/** Where the schema wants a number or a boolean. */
function convertScalars(
  source: YamlSource,
  replaced: ReadonlySet<Scalar>,
  errors: readonly SchemaError[],
): boolean {
  let changed = false;
  for (const { path, keyword } of errors) {
    const node = source.document.getIn(path, true);
    if (
      keyword !== "type" ||
      !isScalar(node) ||
      !replaced.has(node) ||
      typeof node.value !== "string"
    )
      continue;
    if (!/^(true|false|-?\d+(\.\d+)?([eE][-+]?\d+)?)$/.test(node.value)) continue;
    node.value = JSON.parse(node.value) as unknown;
    changed = true;
  }
  return changed;
}

/** The address of a notice is a secret. */
const isNotice = ([key]: ValuePath) => noticeEventNames.some((name) => name === key);

export interface ReadOptions {
  /**
   * Values from flags or the environment, by dotted key. They replace those of the file, which are
   * not checked.
   */
  readonly given?: Readonly<Record<string, string | undefined>>;
  /**
   * Top-level keys to read, apart from `projects`; default: all. Variables that other keys name
   * need not be set.
   */
  readonly only?: readonly (keyof Pipeline)[];
}

/** Returns the values that are replaced. */
function give(
  { document }: YamlSource,
  given: Readonly<Record<string, string | undefined>>,
): Set<Scalar> {
  const nodes = Object.entries(given).flatMap(([key, value]) => {
    const node = value === undefined ? undefined : document.getIn(key.split("."), true);
    if (!isScalar(node)) return [];
    node.value = value;
    return [node];
  });
  return new Set(nodes);
}

/** Also of each project. */
function keepOnly({ document }: YamlSource, only: readonly (keyof Pipeline)[]): void {
  const projects = document.get("projects");
  const own = isMap(projects) ? projects.items.map(({ value }) => value) : [];
  const others = Object.keys(pipelineSchema.properties).filter(
    (key) => !only.some((one) => one === key),
  );
  for (const map of [document.contents, ...own])
    if (isMap(map))
      for (const key of others)
        if (map !== document.contents || key !== "projects") map.delete(key);
}

/** @throws UsageError with file, line and key */
export function parsePipeline(
  file: string,
  text: string,
  env: Environment,
  { given = {}, only }: ReadOptions = {},
): Pipeline {
  const source = yamlSource(file, text);
  if (only) keepOnly(source, only);
  const replaced = substituteVariables(source, env, give(source, given));
  for (;;) {
    const data: unknown = parsedYaml(file, () => source.document.toJS() as unknown) ?? {};
    const errors = schemaErrors(pipelineSchema, data);
    if (errors.length === 0) return data as Pipeline;
    if (convertScalars(source, replaced, errors)) continue;
    refuseFile(source, errors, isNotice);
  }
}

/** @throws UsageError when the file cannot be read or is not valid */
export async function readPipeline(
  file: string,
  env: Environment,
  reading?: ReadOptions,
): Promise<Pipeline> {
  const text = await readText(file).catch((error: unknown) => {
    throw new UsageError(`${file}: the pipeline file cannot be read. Check the path.`, {
      cause: error,
    });
  });
  const pipeline = parsePipeline(file, text, env, reading);
  await checkAccepted(file, pipeline);
  await checkSchedule(file, pipeline);
  return pipeline;
}

/** Every command refuses what `recount schedule` would refuse. @throws UsageError */
async function checkSchedule(file: string, { schedule }: Pipeline): Promise<void> {
  if (schedule === undefined) return;
  const { cronOf } = await fromPack("schedule")();
  try {
    cronOf({ timezone: "UTC", ...schedule }, systemClock.now());
  } catch (error) {
    throw new UsageError(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Conventions that no audit can find are mistakes of writing.
 * @throws UsageError with the nearest
 */
async function checkAccepted(
  file: string,
  { accept = [], projects = {} }: Pipeline,
): Promise<void> {
  const ofProjects = Array.isArray(projects)
    ? []
    : Object.values(projects).flatMap((one) => one?.accept ?? []);
  if (accept.length + ofProjects.length === 0) return;
  const { conventionProblem } = await import("../audit/index.js");
  for (const { experiment, kind, convention } of [...accept, ...ofProjects]) {
    const problem = await conventionProblem(kind, convention);
    if (problem !== null)
      throw new UsageError(`${file}: accept of ${experiment}, convention: ${problem}`);
  }
}
