import type { CommandModule } from "yargs";
import { auditCommand } from "./audit.js";
import { exportCommand } from "./export.js";
import { openapiCommand } from "./openapi.js";
import { serveCommand } from "./serve.js";

/** yargs erases the argument types of its commands; this is the one place where they meet. */
const erase = <T>(command: CommandModule<object, T>) => command as CommandModule;

/** The commands in the order in which `recount --help` lists them. */
export const commands: readonly CommandModule[] = [
  erase(exportCommand),
  erase(auditCommand),
  erase(openapiCommand),
  erase(serveCommand),
];
