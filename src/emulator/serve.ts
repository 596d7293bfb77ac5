// `recount serve`: runs the emulator until it is stopped.
import type { CommandModule, InferredOptionTypes } from "yargs";
import type { ApiVersion } from "../contract/index.js";
import { settings } from "../platform/index.js";
import { flagFor, print } from "../commands/index.js";

const serveOptions = (apiVersions: readonly [ApiVersion, ...ApiVersion[]]) =>
  ({
    port: flagFor("port", settings.port),
    sample: { type: "boolean", describe: "Serve the sample project (the default without --load)" },
    load: {
      type: "string",
      array: true,
      default: [],
      describe: "Case files to serve: experiment, sessions, slates, ratings",
    },
    "api-version": {
      choices: apiVersions,
      default: apiVersions[0],
      describe: "Version of the record shapes",
    },
    seed: flagFor("seed", settings.seed),
    faults: {
      type: "string",
      describe: "File of fault rules, YAML or JSON (docs/reference/emulator.md)",
    },
    publishing: {
      type: "string",
      describe:
        "File of publishing rules, YAML or JSON: under which conventions results are published",
    },
    scenario: { type: "string", describe: "Scenario to simulate; `help` lists them" },
    etag: {
      type: "boolean",
      default: false,
      describe: "Send an ETag with lists and honour If-None-Match",
    },
  }) as const;

type ServeArguments = InferredOptionTypes<ReturnType<typeof serveOptions>>;

export const command: CommandModule<object, ServeArguments> = {
  command: "serve",
  describe: "Run a local emulator of the study service",
  builder: async (yargs) => {
    const { apiVersions } = await import("../contract/index.js");
    return yargs
      .options(serveOptions(apiVersions))
      .example("recount serve --port 8080", "Serve the sample project at http://127.0.0.1:8080")
      .example(
        "recount serve --scenario quarantine",
        "Rehearse a night in which one rating does not fit its record",
      );
  },
  handler: async (args) => {
    const { startEmulator, readFaultRules, readPublishingRules, scenarioList, scenarioOptions } =
      await import("./index.js");
    if (args.scenario === "help") {
      print(scenarioList());
      return;
    }
    const { port, load, sample, seed, etag } = args;
    const rehearsed = args.scenario === undefined ? {} : scenarioOptions(args.scenario);
    const faults = args.faults === undefined ? [] : await readFaultRules(args.faults);
    const publishing =
      args.publishing === undefined ? [] : await readPublishingRules(args.publishing);
    const emulator = await startEmulator({
      port,
      load,
      seed,
      etag,
      apiVersion: args["api-version"],
      ...(sample === undefined ? {} : { sample }),
      faults: [...(rehearsed.faults ?? []), ...faults],
      publishing: [...(rehearsed.publishing ?? []), ...publishing],
    });
    const asIs = (text: string) => text;
    print(
      `Emulator at ${emulator.url}, project ${emulator.projectId}, key ${emulator.apiKey}. ` +
        "Stop it with Ctrl-C.",
      asIs,
    );
    print(
      `RECOUNT_BASE_URL=${emulator.url} RECOUNT_PROJECT_ID=${emulator.projectId} ` +
        `RECOUNT_API_KEY=${emulator.apiKey}`,
      asIs,
    );
    await new Promise<void>((resolve) => {
      process.once("SIGINT", resolve);
      process.once("SIGTERM", resolve);
    });
    await emulator.close();
  },
};
