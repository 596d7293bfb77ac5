import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from "yaml";
import { didYouMean, readText, UsageError, type Environment } from "../platform/index.js";
import { noticeEventNames } from "./notices.js";
import { type Pipeline, pipelineSchema } from "./schema.js";

export type ValuePath = readonly (string | number)[];

/** A YAML document with the line of each value. */
export interface YamlSource {
  readonly file: string;
  readonly document: Document.Parsed;
  lineOfNode(node: Node | null | undefined): number;
  /** Line of the value at `path`, or of the member `key` of it. */
  lineOf(path: ValuePath, key?: string): number;
}

/** What `read` returns. @throws UsageError for YAML that is nested too deeply or multiplies its aliases. */
export function parsed<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error;
    const what = error.name === "RangeError" ? "it is nested too deeply" : error.message;
    throw new UsageError(`${file}: ${what}. Write the values out, at most a few levels deep.`, { cause: error });
  }
}

/** Parses YAML. @throws UsageError naming file, line and column of the first mistake. */
export function yamlSource(file: string, text: string): YamlSource {
  const lines = new LineCounter();
  const document = parsed(file, () => parseDocument(text, { lineCounter: lines, prettyErrors: false }));
  const [mistake] = document.errors;
  if (mistake) {
    const { line, col } = lines.linePos(mistake.pos[0]);
    throw new UsageError(
      `${file}, line ${line}, column ${col}: not valid YAML: ${mistake.message.split("\n")[0] ?? ""}`,
    );
  }
  const lineOfNode = (node: Node | null | undefined) => (node?.range ? lines.linePos(node.range[0]).line : 1);
  return {
    file,
    document,
    lineOfNode,
    lineOf(path, key) {
      const found = path.length === 0 ? document.contents : document.getIn(path, true);
      const node = isNode(found) ? found : undefined;
      if (key === undefined || !isMap(node)) return lineOfNode(node);
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      return lineOfNode(pair && isNode(pair.key) ? pair.key : node);
    },
  };
}

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` in every value of the document, in place; keys and `settled` values stay.
 * Returns the values that came from the environment: they are text, even where the schema wants another type.
 * @throws UsageError with file, line and variable when one is not set.
 */
export function substitute(
  source: YamlSource,
  env: Environment,
  settled: ReadonlySet<Scalar> = new Set(),
): Set<Scalar> {
  const replaced = new Set<Scalar>();
  visit(source.document, {
    Scalar(key, node) {
      if (key === "key" || settled.has(node) || typeof node.value !== "string" || !node.value.includes("${")) return;
      node.value = node.value.replace(reference, (_, name: string, fallback: string | undefined) => {
        const value = env[name] ?? fallback;
        if (value !== undefined) return value;
        const line = source.lineOfNode(node);
        throw new UsageError(`${source.file}, line ${line}: the environment variable ${name} is not set.`);
      });
      replaced.add(node);
    },
  });
  return replaced;
}

/** Checking the schema itself, which a test does, and shortening the generated code would take most of the start. */
const quick = { validateSchema: false, code: { optimize: false } } as const;
const validate = new Ajv2020({ allErrors: true, strict: false, verbose: true, ...quick }).compile<Pipeline>(
  pipelineSchema,
);

const unescape = (token: string) => token.replaceAll("~1", "/").replaceAll("~0", "~");

const pathOf = (pointer: string): ValuePath =>
  pointer
    .split("/")
    .slice(1)
    .map(unescape)
    .map((token) => (/^\d+$/.test(token) ? Number(token) : token));

const nameOf = (path: ValuePath, key?: string) =>
  [...path, ...(key === undefined ? [] : [key])].join(".") || "the file";

const usefulness: Record<string, number> = { additionalProperties: 1000, anyOf: 1, type: 0 };

/** The most useful error: an unknown key first, then the deepest, then the most specific. */
function mostUseful(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const rank = ({ keyword, instancePath }: ErrorObject) =>
    (usefulness[keyword] ?? 2) + 10 * instancePath.split("/").length;
  return errors.toSorted((a, b) => rank(b) - rank(a))[0];
}

/** Types of a schema, in words of YAML. */
const inWords: Readonly<Record<string, string>> = {
  array: "a list, such as [a, b]",
  object: "a map, such as key: value",
};

function expectation(error: ErrorObject): string {
  const allowed: unknown = error.params.allowedValues;
  if (error.keyword === "enum" && Array.isArray(allowed)) return `must be one of ${allowed.join(", ")}`;
  if (error.keyword === "anyOf") {
    const branches = (error.schema as { type?: string }[]).map(({ type = "another form" }) => inWords[type] ?? type);
    return `must be ${branches.join(" or ")}`;
  }
  if (error.keyword === "type") return `must be ${inWords[String(error.params.type)] ?? String(error.params.type)}`;
  return error.message ?? "is not valid";
}

/** Reads the text of an environment variable as a number or a boolean where the schema wants one. */
function convert(source: YamlSource, replaced: ReadonlySet<Scalar>, errors: readonly ErrorObject[]): boolean {
  let changed = false;
  for (const { instancePath, keyword } of errors) {
    const node = source.document.getIn(pathOf(instancePath), true);
    if (keyword !== "type" || !isScalar(node) || !replaced.has(node) || typeof node.value !== "string") continue;
    if (!/^(true|false|-?\d+(\.\d+)?([eE][-+]?\d+)?)$/.test(node.value)) continue;
    node.value = JSON.parse(node.value) as unknown;
    changed = true;
  }
  return changed;
}

/** Whether a value is part of a notice, whose address is a secret. */
const isNotice = ([key]: ValuePath) => noticeEventNames.some((name) => name === key);

function refuse(source: YamlSource, error: ErrorObject): never {
  const path = pathOf(error.instancePath);
  if (error.keyword === "additionalProperties") {
    const key = String(error.params.additionalProperty);
    const known = Object.keys((error.parentSchema?.properties ?? {}) as object);
    const near = didYouMean(key, known);
    throw new UsageError(
      `${source.file}, line ${source.lineOf(path, key)}: unknown key ${nameOf(path, key)}.${near} Known here: ${known.join(", ")}.`,
    );
  }
  const value = isNotice(path) ? "" : `, not ${JSON.stringify(error.data)}`;
  throw new UsageError(`${source.file}, line ${source.lineOf(path)}: ${nameOf(path)} ${expectation(error)}${value}.`);
}

/** How a pipeline file is read. */
export interface ReadOptions {
  /** Values from flags or the environment, by dotted key. They replace those of the file, which are not checked. */
  readonly given?: Readonly<Record<string, string | undefined>>;
  /** The top-level keys to read, and `projects`, default all. Variables that other keys name need not be set. */
  readonly only?: readonly (keyof Pipeline)[];
}

/** Replaces values of the file by those given, and returns the replaced ones. */
function give({ document }: YamlSource, given: Readonly<Record<string, string | undefined>>): Set<Scalar> {
  const nodes = Object.entries(given).flatMap(([key, value]) => {
    const node = value === undefined ? undefined : document.getIn(key.split("."), true);
    if (!isScalar(node)) return [];
    node.value = value;
    return [node];
  });
  return new Set(nodes);
}

/** Removes the other top-level keys, also of each project. */
function keepOnly({ document }: YamlSource, only: readonly (keyof Pipeline)[]): void {
  const projects = document.get("projects");
  const own = isMap(projects) ? projects.items.map(({ value }) => value) : [];
  const others = Object.keys(pipelineSchema.properties).filter((key) => !only.some((one) => one === key));
  for (const map of [document.contents, ...own])
    if (isMap(map)) for (const key of others) if (map !== document.contents || key !== "projects") map.delete(key);
}

/** Parses and validates the text of a pipeline file. @throws UsageError with file, line and key. */
export function parsePipeline(
  file: string,
  text: string,
  env: Environment,
  { given = {}, only }: ReadOptions = {},
): Pipeline {
  const source = yamlSource(file, text);
  if (only) keepOnly(source, only);
  const replaced = substitute(source, env, give(source, given));
  for (;;) {
    const data: unknown = parsed(file, () => source.document.toJS() as unknown) ?? {};
    if (validate(data)) return data;
    const errors = validate.errors ?? [];
    if (convert(source, replaced, errors)) continue;
    const error = mostUseful(errors);
    if (error) refuse(source, error);
  }
}

/** Reads a pipeline file. @throws UsageError when it cannot be read or is not valid. */
export async function readPipeline(file: string, env: Environment, reading?: ReadOptions): Promise<Pipeline> {
  const text = await readText(file).catch((error: unknown) => {
    throw new UsageError(`${file}: the pipeline file cannot be read. Check the path.`, { cause: error });
  });
  return parsePipeline(file, text, env, reading);
}
