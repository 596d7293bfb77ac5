/** What `recount call OPERATION --help` says: parameters, fields of the body, an example. */
import {
  apiVersions,
  bodies,
  isOperationName,
  operation,
  pathParameters,
  queryParameters,
  type OperationName,
} from "../contract/index.js";
import { column, printed, tabled } from "../report/index.js";

/** As much of a JSON Schema as a field has. */
interface HelpField {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly HelpField[];
  readonly items?: HelpField;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

interface Body {
  readonly properties: Readonly<Record<string, HelpField>>;
  readonly required?: readonly string[];
}

interface HelpShown {
  readonly name: string;
  readonly type: string;
  readonly without: string;
  readonly meaning: string;
  /** Its value in the example; undefined: it is left out. */
  readonly example?: unknown;
}

function typeOf({ type, enum: words, anyOf, items, minimum, maximum }: HelpField): string {
  if (words !== undefined) return words.join(", ");
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (type === "array") return `list of ${typeOf(items ?? {})}`;
  if (type === "string") return "text";
  if (type !== "integer") return type ?? "any JSON";
  return minimum === undefined ? type : `${type}, ${minimum} to ${maximum ?? "any"}`;
}

const isGiven = (value: unknown) => value !== undefined && value !== "";

/** The fields of a body in every version of the interface; those of one version say so. */
function helpFieldsOf(name: OperationName): HelpShown[] {
  const { body } = operation(name);
  if (body === undefined) return [];
  const all = apiVersions.map((version) => {
    const { properties, required = [] } = bodies[body][version] as Body;
    return { version, properties, required };
  });
  const names = new Set(all.flatMap(({ properties }) => Object.keys(properties)));
  return [...names].flatMap((field) => {
    const having = all.filter(({ properties }) => field in properties);
    const [first] = having;
    const schema = first?.properties[field];
    if (first === undefined || schema === undefined) return [];
    const isRequired = first.required.includes(field);
    const fallback = isGiven(schema.default) ? JSON.stringify(schema.default) : "";
    const isInAll = having.length === all.length;
    return [
      {
        name: field,
        type: typeOf(schema),
        without: isRequired ? "required" : fallback,
        meaning: [schema.description, !isInAll && `Only in ${first.version}.`]
          .filter(Boolean)
          .join(" "),
        ...(isRequired || all[0]?.required.length === 0
          ? { example: first === all[0] ? schema.examples?.[0] : undefined }
          : {}),
      },
    ];
  });
}

function helpParametersOf(name: OperationName): HelpShown[] {
  const { query } = operation(name);
  const asked = query ? (queryParameters[query].properties as Record<string, HelpField>) : {};
  const inPath = pathParameters(name).map((parameter) => ({
    name: parameter,
    type: "text",
    without: parameter === "project_id" ? "as --project" : "required",
    meaning: "",
  }));
  const inQuery = Object.entries(asked).map(([parameter, schema]) => ({
    name: parameter,
    type: typeOf(schema),
    without: isGiven(schema.default) ? String(schema.default) : "",
    meaning: schema.description ?? "",
  }));
  return [...inPath, ...inQuery];
}

const width = 100;

const table = (head: string, rows: readonly HelpShown[]) =>
  rows.length === 0
    ? []
    : [
        printed(
          tabled(rows, [
            column.plain(head, ({ name }) => name),
            column.plain("Default", ({ without }) => without),
            column.plain("Type", ({ type }) => type),
            column.plain("Meaning", ({ meaning }) => meaning),
          ]),
          width,
        ),
      ];

/** A command line that calls an operation, with the fields that its body needs. */
function exampleCall(name: OperationName): string {
  const values = helpFieldsOf(name).flatMap(({ name: field, example }) =>
    example === undefined ? [] : [[field, example] as const],
  );
  const parameters = pathParameters(name)
    .filter((parameter) => parameter !== "project_id")
    .map((parameter) => `-p ${parameter}=${parameter.toUpperCase()}`);
  const body =
    values.length === 0 ? [] : [`--body '${JSON.stringify(Object.fromEntries(values))}'`];
  return ["recount call", name, ...parameters, ...body].join(" ");
}

/** "" if the words name no operation. */
export function operationHelp(words: readonly string[]): string {
  const name = words.find(isOperationName);
  if (name === undefined) return "";
  const { method, path, summary } = operation(name);
  return [
    `${name}: ${summary}\n${method} ${path}`,
    ...table("Parameter", helpParametersOf(name)),
    ...table("Body field", helpFieldsOf(name)),
    `For example:\n  ${exampleCall(name)}`,
  ].join("\n\n");
}
