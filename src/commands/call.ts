/** `recount call`: calls one operation of the service, or lists them. */
import { parse } from "node:path";
import type { CommandModule, InferredOptionTypes } from "yargs";
import type { Operation, OperationName, ResponseOf } from "../contract/index.js";
import { connectionOf, connectionOptions, network, retryOption } from "./connection.js";
import { didYouMean, fsp, UsageError, isMap, jsonIn } from "../platform/index.js";
import { consoleLog, logOptions, print, printFile } from "./console.js";

const encodings = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
} as const;

const blamesCaller: ReadonlySet<number> = new Set([400, 413, 415, 422]);

function parametersIn(pairs: readonly string[]): Record<string, string> {
  const seen = new Set<string>();
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1)
        throw new UsageError(`--param ${JSON.stringify(pair)} is not of the form name=value.`);
      const name = pair.slice(0, at);
      if (seen.has(name)) throw new UsageError(`--param ${name} is given twice.`);
      seen.add(name);
      return [name, pair.slice(at + 1)];
    }),
  );
}

async function bodyOf(text: string | undefined): Promise<object | undefined> {
  if (text === undefined) return undefined;
  const { readText } = await import("../platform/index.js");
  const json = text.startsWith("@")
    ? await readText(text.slice(1)).catch(() => {
        throw new UsageError(`The body file ${text.slice(1)} cannot be read.`);
      })
    : text;
  const value = jsonIn(json);
  if (isMap(value)) return value;
  throw new UsageError(`--body is not a JSON object: ${json.slice(0, 60)}`);
}

async function operationListing(): Promise<string> {
  const { operation, operationNames, pathParameters, queryParameters, datasetUpload } =
    await import("../contract/index.js");
  const { column, renderTable } = await import("../report/index.js");
  const all = operationNames.map((name) => {
    const { method, query, summary } = operation(name);
    const required = pathParameters(name).filter((parameter) => parameter !== "project_id");
    const optional = Object.keys(query ? queryParameters[query].properties : {}).map(
      (parameter) => `[${parameter}]`,
    );
    return { name, method, parameters: [...required, ...optional].join(" "), summary };
  });
  return renderTable(
    [...all, { name: "uploadDataset", parameters: "upload_url --file", ...datasetUpload }],
    [
      column.plain("Operation", ({ name }) => name),
      column.plain("Method", ({ method }) => method),
      column.plain("Parameters", ({ parameters }) => parameters),
      column.plain("Does", ({ summary }) => summary),
    ],
  );
}

const options = {
  ...connectionOptions,
  ...retryOption,
  ...logOptions,
  param: {
    alias: "p",
    type: "string",
    array: true,
    default: [],
    describe: "Path or query parameter, name=value",
  },
  body: { type: "string", describe: "Request body as JSON, or @file" },
  encoding: {
    choices: Object.keys(encodings) as (keyof typeof encodings)[],
    describe: "Encoding in which the body is sent [default: json]",
  },
  file: {
    type: "string",
    describe: "File that uploadDataset sends, or from which createDataset makes a dataset",
  },
} as const;

type CallArguments = InferredOptionTypes<typeof options> & { operation: string | undefined };

export const command: CommandModule<object, CallArguments> = {
  command: "call [operation]",
  describe: "Call one operation of the interface and print its JSON; without a name, list them",
  builder: (yargs) =>
    yargs
      .positional("operation", {
        type: "string",
        describe:
          "Name of the operation, for example listExperiments; with --help, its parameters " +
          "and body",
      })
      .options(options)
      .example(
        "recount call listRatings -p experiment_id=Codecs16k -p training=false",
        "Print ratings as the service sends them",
      )
      .example(
        "recount call createDataset --file voices.zip",
        "Create a dataset and upload its file",
      ),
  handler: async (args) => {
    const { isOperationName, operation, operationNames, pathParameters, queryParameters } =
      await import("../contract/index.js");
    const name = args.operation;
    if (name === undefined) {
      print(await operationListing());
      return;
    }
    checkExtras(
      args,
      name === "uploadDataset" ? {} : isOperationName(name) ? operation(name) : undefined,
    );
    if (name === "uploadDataset") {
      print(JSON.stringify(await upload(args)));
      return;
    }
    if (!isOperationName(name))
      throw new UsageError(
        "There is no operation " +
          `${JSON.stringify(name)}.${
            didYouMean(name, operationNames) || " `recount call` lists them."
          }`,
      );
    const { createClient, RejectionFailure } = await import("../client/index.js");
    const { query } = operation(name);
    const known: string[] = [
      ...pathParameters(name),
      ...Object.keys(query ? queryParameters[query].properties : {}),
    ];
    const given = parametersIn(args.param);
    const unknown = Object.keys(given).find((parameter) => !known.includes(parameter));
    if (unknown !== undefined)
      throw new UsageError(`${name} has no parameter ${unknown}. It has: ${known.join(", ")}.`);
    const project = args.project ?? process.env.RECOUNT_PROJECT_ID;
    const all = {
      ...(known.includes("project_id") && project ? { project_id: project } : {}),
      ...given,
    };
    const body = await bodyOf(args.body);
    const client = createClient(
      {
        ...(await connectionOf(args)),
        encoding: encodings[args.encoding ?? "json"],
      },
      { log: consoleLog(args) },
    );
    try {
      if (args.file !== undefined)
        print(JSON.stringify(await createFrom(args.file, client, { ...all, body }, args), null, 2));
      else if (operation(name).list === true) await stream(client, name, all);
      else print(JSON.stringify(await client.call(name, { ...all, body }), null, 2));
    } catch (error) {
      throw error instanceof RejectionFailure && blamesCaller.has(error.status)
        ? new UsageError(error.message)
        : error;
    } finally {
      await client.close();
    }
  },
};

export async function help(words: readonly string[]): Promise<string> {
  return (await import("./operation-help.js")).operationHelp(words);
}

/** @throws UsageError for a flag that the operation does not use, or a body that it needs. */
function checkExtras(
  { operation: name, body, encoding, file }: CallArguments,
  entry: Partial<Operation> | undefined,
): void {
  if (name === undefined || entry === undefined) return;
  if (body !== undefined && entry.body === undefined)
    throw new UsageError(`${name} has no body: leave out --body.`);
  const isBodyKnown = file !== undefined && name === "createDataset";
  if (body === undefined && entry.body !== undefined && !entry.bodyOptional && !isBodyKnown)
    throw new UsageError(`${name} needs --body: \`recount call ${name} --help\` lists its fields.`);
  if (encoding !== undefined && body === undefined)
    throw new UsageError("--encoding requires --body.");
  if (file !== undefined && name !== "uploadDataset" && !isBodyKnown)
    throw new UsageError("Only createDataset and uploadDataset take --file.");
}

async function upload(args: CallArguments): Promise<unknown> {
  const { upload_url: url } = parametersIn(args.param);
  const { file } = args;
  const { uploadDataset } = await import("../client/index.js");
  if (url === undefined || file === undefined)
    throw new UsageError(
      "uploadDataset needs -p upload_url=… (as createDataset answered it) and --file.",
    );
  return uploadDataset(url, file, await network(args));
}

/** The file names both, unless the body does. The answer lacks the address, which is used up. */
async function createFrom(
  file: string,
  client: import("../client/index.js").Client,
  { body, ...parameters }: { readonly body: object | undefined },
  args: CallArguments,
): Promise<unknown> {
  const { uploadDataset } = await import("../client/index.js");
  const { name, base } = parse(file);
  const isFile = await fsp.stat(file).then(
    (stat) => stat.isFile(),
    () => false,
  );
  if (!isFile) throw new UsageError(`The file ${file} cannot be read.`);
  const own = { name, filename: base, ...body };
  const { upload_url: url, ...created } = (await client.call("createDataset", {
    ...parameters,
    body: own,
  })) as ResponseOf<"createDataset">;
  const { bytes } = await uploadDataset(url, file, await network(args));
  return { ...created, bytes };
}

/** Prints a list as it arrived, through a file, so that memory does not grow with it. */
async function stream(
  client: import("../client/index.js").Client,
  name: OperationName,
  args: Record<string, string>,
): Promise<void> {
  const { temporaryFile } = await import("../platform/index.js");
  await temporaryFile("recount-call", async (file) => {
    await client.download(name, args, file);
    await printFile(file);
  });
  print("");
}
