import yargs, { type CommandModule } from "yargs";
import { print } from "./console.js";

const shells = ["bash", "zsh"] as const;

interface CompletionArguments {
  shell: (typeof shells)[number];
}

export const command: CommandModule<object, CompletionArguments> = {
  command: "completion <shell>",
  describe: "Print a script that completes commands, flags and their choices in a shell",
  builder: (yargs) =>
    yargs
      .positional("shell", {
        choices: shells,
        demandOption: true,
        describe: "Shell to complete in",
      })
      .example(
        "recount completion bash > ~/.local/share/bash-completion/completions/recount",
        "Install it for bash",
      )
      .example('recount completion zsh > "${fpath[1]}/_recount"', "Install it for zsh"),
  handler: async ({ shell }) => {
    // yargs writes for the shell that this variable names, and the script names it when it asks for
    // words.
    Object.assign(process.env, { SHELL: shell });
    const parser = yargs([]).scriptName("recount").completion("completion");
    const script = await new Promise<string>((resolve) => {
      void parser.parse(["completion"], (_error: unknown, _arguments: unknown, output: string) =>
        resolve(output),
      );
    });
    print(script.replaceAll("recount --get-yargs", `SHELL=${shell} recount --get-yargs`));
  },
};
