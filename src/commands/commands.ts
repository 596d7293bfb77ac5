import type { Argv, CommandModule } from "yargs";
import { auditCommand } from "./audit.js";
import { callCommand } from "./call.js";
import { checkCommand } from "./check.js";
import { quietOption } from "./console.js";
import { completionCommand } from "./completion.js";
import { diffCommand } from "./diff.js";
import { demoCommand } from "./demo.js";
import { duCommand } from "./du.js";
import { explainCommand } from "./explain.js";
import { exportCommand } from "./export.js";
import { openapiCommand } from "./openapi.js";
import { queryCommand } from "./query.js";
import { reportCommand } from "./report.js";
import { runCommand } from "./run.js";
import { scheduleCommand } from "./schedule.js";
import { serveCommand } from "./serve.js";
import { snapshotsCommand } from "./snapshots.js";
import { statusCommand } from "./status.js";
import { sqlCommand } from "./sql.js";
import { transformCommand } from "./transform.js";
import { verifyCommand } from "./verify.js";

/** A command with the flag of every command. yargs erases the types of arguments; only here are they combined. */
function erase<T>(command: CommandModule<object, T>): CommandModule {
  const build = command.builder as (yargs: Argv) => Argv | Promise<Argv>;
  return { ...(command as CommandModule), builder: async (yargs) => (await build(yargs)).option("quiet", quietOption) };
}

/** The commands in the order in which `recount --help` lists them. */
export const commands: readonly CommandModule[] = [
  erase(demoCommand),
  erase(runCommand),
  erase(scheduleCommand),
  erase(checkCommand),
  erase(exportCommand),
  erase(transformCommand),
  erase(auditCommand),
  erase(reportCommand),
  erase(explainCommand),
  erase(verifyCommand),
  erase(snapshotsCommand),
  erase(duCommand),
  erase(diffCommand),
  erase(statusCommand),
  erase(queryCommand),
  erase(sqlCommand),
  erase(callCommand),
  erase(serveCommand),
  erase(openapiCommand),
  erase(completionCommand(() => commands)),
];
