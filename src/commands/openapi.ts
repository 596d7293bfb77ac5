/** `recount openapi`: prints the interface of the service as an OpenAPI document. */
import type { CommandModule } from "yargs";
import type { ApiVersion } from "../contract/index.js";
import { print } from "./console.js";

export const command: CommandModule<object, { "api-version": ApiVersion }> = {
  command: "openapi",
  describe: "Print the interface of the study service as an OpenAPI 3.1 document",
  builder: async (yargs) => {
    const { apiVersions } = await import("../contract/index.js");
    return yargs
      .option("api-version", {
        choices: apiVersions,
        default: apiVersions[0],
        describe: "Version of the interface",
      })
      .example("recount openapi > openapi.json", "Write the document to a file");
  },
  handler: async (args) => {
    const { openapi } = await import("../contract/index.js");
    print(JSON.stringify(openapi(args["api-version"]), null, 2));
  },
};
