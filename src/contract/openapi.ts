import { pathParameters, operation, operationNamesIn, type OperationName, queryParameters } from "./operations.js";
import { bodies, bodyEncodings } from "./bodies.js";
import { records, type RecordName } from "./records.js";
import { assumed, defaultApiVersion, Identifier, type ApiVersion } from "./schema.js";

type Json = Record<string, unknown>;

const reference = (kind: string, name: string) => ({ $ref: `#/components/schemas/${kind}.${name}` });

const parameters = (name: OperationName): Json[] => {
  const { query } = operation(name);
  const schemas = query ? queryParameters[query].properties : {};
  return [
    ...pathParameters(name).map((parameter) => ({ name: parameter, in: "path", required: true, schema: Identifier })),
    ...Object.entries(schemas).map(([parameter, schema]) => ({
      name: parameter,
      in: "query",
      required: false,
      schema,
    })),
  ];
};

const requestBody = (name: OperationName): Json => {
  const { body, bodyOptional } = operation(name);
  if (!body) return {};
  const content = Object.fromEntries(bodyEncodings.map((type) => [type, { schema: reference("body", body) }]));
  return { requestBody: { required: bodyOptional !== true, content } };
};

const success = (name: OperationName): Json => {
  const { record, list } = operation(name);
  if (!record) return { ...assumed({}, "status"), description: "Done" };
  const one = reference("record", record);
  const schema = list ? { type: "array", items: one } : one;
  return { description: "Success", content: { "application/json": { schema } } };
};

/** Who may use an operation. The interface does not show which operations accept the other two schemes. */
const access = (name: OperationName): Json => {
  const { roles, keyOf = "project", source } = operation(name);
  const description = `Source: ${source}.`;
  if (roles === undefined) return { ...assumed({}, "security"), description };
  const names = roles.map((role) => role.replace("_", " ")).join(" or ");
  return {
    description: `Needs an API key of the ${keyOf}, created by a ${names}. ${description}`,
    security: [{ ApiKeyAuth: [] }],
  };
};

const entry = (name: OperationName): Json => ({
  operationId: name,
  summary: operation(name).summary,
  ...access(name),
  parameters: parameters(name),
  ...requestBody(name),
  responses: {
    [operation(name).status]: success(name),
    default: {
      ...assumed({}, "status", "fields"),
      description: "Refused or failed; the interface does not show the shape, this one is assumed",
      content: { "application/json": { schema: reference("record", "error") } },
    },
  },
});

function paths(version: ApiVersion): Json {
  const all: Record<string, Json> = {};
  for (const name of operationNamesIn(version)) {
    const { path, alias, method } = operation(name);
    (all[path] ??= {})[method.toLowerCase()] = entry(name);
    if (alias) (all[alias] ??= {})[method.toLowerCase()] = { ...entry(name), operationId: `${name}ByAlias` };
  }
  return all;
}

/** JSON Schema of a record, for validating responses. */
function recordSchema(record: RecordName, version: ApiVersion): Json {
  const schema = records[record][version] as unknown as Json;
  return statesRequired.includes(record) || "x-assumed" in schema ? schema : { ...assumed({}, "required"), ...schema };
}

const text = { type: "string" };
const errorSchema = {
  ...assumed({}, "fields"),
  type: "object",
  properties: {
    detail: text,
    code: text,
    errors: {
      type: "array",
      items: { type: "object", properties: { field: text, message: text }, required: ["field", "message"] },
    },
  },
  required: ["detail", "code"],
};

/** The records whose required fields the interface states. */
const statesRequired: readonly RecordName[] = ["experiment_detail"];

/** The interface as an OpenAPI 3.1 document, derived from the tables of operations, records and bodies. */
export function openapi(version: ApiVersion = defaultApiVersion): Json {
  const schemas: Json = { "record.error": errorSchema };
  for (const name of Object.keys(records) as RecordName[]) schemas[`record.${name}`] = recordSchema(name, version);
  for (const [name, shapes] of Object.entries(bodies)) schemas[`body.${name}`] = shapes[version];
  return {
    openapi: "3.1.0",
    info: { title: "Subjective Study Service API", version },
    security: [{ ApiKeyAuth: [] }, { basicAuth: [] }, { cookieAuth: [] }],
    paths: paths(version),
    components: {
      schemas,
      securitySchemes: {
        ApiKeyAuth: { type: "http", scheme: "Api-Key", description: "Authorization: Api-Key <API_KEY>" },
        basicAuth: { type: "http", scheme: "basic" },
        cookieAuth: { type: "apiKey", in: "cookie", name: "sessionid" },
      },
    },
  };
}
