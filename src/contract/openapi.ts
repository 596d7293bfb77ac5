/** The interface as an OpenAPI document. */
import {
  pathParameters,
  operation,
  operationNamesIn,
  type OperationName,
  queryParameters,
} from "./operations.js";
import { bodies, bodyEncodings } from "./bodies.js";
import { records, type RecordName } from "./records.js";
import { assumed, defaultApiVersion, Identifier, type ApiVersion } from "./schema.js";

type JsonObject = Record<string, unknown>;

const schemaReference = (kind: string, name: string) => ({
  $ref: `#/components/schemas/${kind}.${name}`,
});

const operationParameters = (name: OperationName): JsonObject[] => {
  const { query } = operation(name);
  const schemas = query ? queryParameters[query].properties : {};
  return [
    ...pathParameters(name).map((parameter) => ({
      name: parameter,
      in: "path",
      required: true,
      schema: Identifier,
    })),
    ...Object.entries(schemas).map(([parameter, schema]) => ({
      name: parameter,
      in: "query",
      required: false,
      schema,
    })),
  ];
};

const requestBody = (name: OperationName): JsonObject => {
  const { body, bodyOptional } = operation(name);
  if (!body) return {};
  const content = Object.fromEntries(
    bodyEncodings.map((type) => [type, { schema: schemaReference("body", body) }]),
  );
  return { requestBody: { required: bodyOptional !== true, content } };
};

const success = (name: OperationName): JsonObject => {
  const { record, list } = operation(name);
  if (!record) return { ...assumed({}, "status"), description: "Done" };
  const one = schemaReference("record", record);
  const schema = list ? { type: "array", items: one } : one;
  return { description: "Success", content: { "application/json": { schema } } };
};

/** The interface does not show which operations accept the other two schemes. */
const access = (name: OperationName): JsonObject => {
  const { roles, keyOf = "project", source } = operation(name);
  const description = `Source: ${source}.`;
  if (roles === undefined) return { ...assumed({}, "security"), description };
  const names = roles.map((role) => role.replace("_", " ")).join(" or ");
  return {
    description: `Needs an API key of the ${keyOf}, created by a ${names}. ${description}`,
    security: [{ ApiKeyAuth: [] }],
  };
};

const tags = {
  billing: "Billing events of an organization or a project",
  datasets: "Stimuli: creation, upload and processing",
  webhooks: "Webhook subscriptions",
  rubrics: "Rubrics and their leaderboards",
  metrics: "Metrics across jobs, experiments and leaderboards",
  jobs: "Jobs of an experiment, and their launch",
  experiments: "Experiments with their raters, sessions, slates, ratings and published results",
} as const;

const tagsOf = (name: OperationName) =>
  Object.keys(tags)
    .filter((tag) => operation(name).path.includes(`/${tag}/`))
    .slice(0, 1);

const entry = (name: OperationName): JsonObject => ({
  operationId: name,
  summary: operation(name).summary,
  tags: tagsOf(name),
  ...access(name),
  parameters: operationParameters(name),
  ...requestBody(name),
  responses: {
    [operation(name).status]: success(name),
    default: {
      ...assumed({}, "status", "fields"),
      description: "Refused or failed; the interface does not show the shape, this one is assumed",
      content: { "application/json": { schema: schemaReference("record", "error") } },
    },
  },
});

function paths(version: ApiVersion): JsonObject {
  const all: Record<string, JsonObject> = {};
  for (const name of operationNamesIn(version)) {
    const { path, alias, method } = operation(name);
    (all[path] ??= {})[method.toLowerCase()] = entry(name);
    if (alias)
      (all[alias] ??= {})[method.toLowerCase()] = { ...entry(name), operationId: `${name}ByAlias` };
  }
  return all;
}

function recordSchema(record: RecordName, version: ApiVersion): JsonObject {
  const schema = records[record][version] as unknown as JsonObject;
  return statesRequired.includes(record) || "x-assumed" in schema
    ? schema
    : { ...assumed({}, "required"), ...schema };
}

const plainText = { type: "string" };
const errorSchema = {
  ...assumed({}, "fields"),
  type: "object",
  properties: {
    detail: plainText,
    code: plainText,
    errors: {
      type: "array",
      items: {
        type: "object",
        properties: { field: plainText, message: plainText },
        required: ["field", "message"],
      },
    },
  },
  required: ["detail", "code"],
};

/** The records whose required fields the interface states. */
const statesRequired: readonly RecordName[] = ["experiment_detail"];

/** OpenAPI 3.1, derived from the tables of operations, records and bodies. */
export function openapi(version: ApiVersion = defaultApiVersion): JsonObject {
  const schemas: JsonObject = { "record.error": errorSchema };
  for (const name of Object.keys(records) as RecordName[])
    schemas[`record.${name}`] = recordSchema(name, version);
  for (const [name, shapes] of Object.entries(bodies)) schemas[`body.${name}`] = shapes[version];
  return {
    openapi: "3.1.0",
    info: {
      title: "Subjective Study Service API",
      version,
      description:
        "The interface of a study service, as Recount reads it. What the service's " +
        "documentation does not show is marked x-assumed.",
      contact: { name: "The operator of the study service" },
    },
    servers: [
      {
        url: "{base_url}",
        description: "The study service; the default is the local emulator of `recount serve`",
        variables: {
          base_url: {
            default: "http://127.0.0.1:8080",
            description: "Address of the service, as --base-url and RECOUNT_BASE_URL name it",
          },
        },
      },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ ApiKeyAuth: [] }, { basicAuth: [] }, { cookieAuth: [] }],
    paths: paths(version),
    components: {
      schemas,
      securitySchemes: {
        ApiKeyAuth: {
          type: "http",
          scheme: "Api-Key",
          description: "Authorization: Api-Key <API_KEY>",
        },
        basicAuth: { type: "http", scheme: "basic" },
        cookieAuth: { type: "apiKey", in: "cookie", name: "sessionid" },
      },
    },
  };
}
