import type { CommandModule } from "yargs";
import { apiVersions, type ApiVersion } from "../contract/index.js";
import { print } from "./console.js";

interface ServeArguments {
  port: number;
  sample: boolean | undefined;
  load: string[];
  "api-version": ApiVersion;
}

export const serveCommand: CommandModule<object, ServeArguments> = {
  command: "serve",
  describe: "Run the local study service",
  builder: (yargs) =>
    yargs
      .option("port", { type: "number", default: 0, describe: "Port on 127.0.0.1; 0 takes a free one" })
      .option("sample", { type: "boolean", describe: "Serve the sample project (the default without --load)" })
      .option("load", { type: "string", array: true, default: [], describe: "Case files to serve: experiment, sessions, slates, ratings" })
      .option("api-version", { choices: apiVersions, default: apiVersions[0], describe: "Shapes of the records" })
      .example("$0 serve --port 8080", "Serve the sample project at http://127.0.0.1:8080"),
  handler: async ({ port, sample, load, "api-version": apiVersion }) => {
    const { startService } = await import("../service/index.js");
    const service = await startService({ port, load, apiVersion, ...(sample === undefined ? {} : { sample }) });
    print(`Study service at ${service.url}, project ${service.projectId}, key ${service.apiKey}. Stop it with Ctrl-C.`);
    print(`RECOUNT_BASE_URL=${service.url} RECOUNT_PROJECT_ID=${service.projectId} RECOUNT_API_KEY=${service.apiKey}`);
    await new Promise<void>((resolve) => {
      process.once("SIGINT", resolve);
      process.once("SIGTERM", resolve);
    });
    await service.close();
  },
};
