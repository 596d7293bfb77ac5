import type { CommandModule } from "yargs";
import { print } from "./console.js";

const shells = ["bash", "zsh", "fish"] as const;

interface CompletionArguments {
  shell: (typeof shells)[number];
}

/** The command that completes `commands`, itself included. */
export const completionCommand = (
  commands: () => readonly CommandModule[],
): CommandModule<object, CompletionArguments> => ({
  command: "completion <shell>",
  describe: "Print a script that completes commands, flags and values in a shell",
  builder: (yargs) =>
    yargs
      .positional("shell", { choices: shells, demandOption: true, describe: "Shell to complete in" })
      .example("$0 completion bash > ~/.local/share/bash-completion/completions/recount", "Install it for bash")
      .example('$0 completion zsh > "${fpath[1]}/_recount"', "Install it for zsh")
      .example("$0 completion fish > ~/.config/fish/completions/recount.fish", "Install it for fish"),
  handler: async ({ shell }) => {
    const { completions } = await import("./completion/index.js");
    const { describeCommands } = await import("./describe.js");
    print(completions[shell](await describeCommands(commands())));
  },
});
