import type { CommandDescription, Flag, Value } from "../describe.js";

const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** How fish completes a value. */
function actionOf({ kind, choices }: Value): string {
  if (kind === "folder") return "-x -a '(__fish_complete_directories)'";
  if (kind === "file") return "-r -F";
  return kind === "choice" ? `-x -a ${quoted(choices.join(" "))}` : "-x";
}

function commandLines({ name, text, flags, arguments: values }: CommandDescription): string[] {
  const within = `complete -c recount -n '__fish_seen_subcommand_from ${name}'`;
  const flagLine = (flag: Flag) =>
    [
      within,
      ...(flag.letter === null ? [] : [`-s ${flag.letter}`]),
      `-l ${flag.name}`,
      ...(flag.kind === "switch" ? [] : [actionOf(flag)]),
      `-d ${quoted(flag.text)}`,
    ].join(" ");
  const [first] = values.filter(({ kind }) => kind !== "text" && kind !== "number");
  return [
    `complete -c recount -n __fish_use_subcommand -a ${name} -d ${quoted(text)}`,
    ...flags.map(flagLine),
    ...(first === undefined ? [] : [`${within} ${first.kind === "file" ? "-F" : actionOf(first)}`]),
  ];
}

/** The completion of fish, 3.0 or later. */
export function fishCompletion(commands: readonly CommandDescription[]): string {
  return [
    "# Completion of recount for fish: recount completion fish > ~/.config/fish/completions/recount.fish",
    "complete -c recount -f",
    "complete -c recount -l help -d 'Show help'",
    "complete -c recount -n __fish_use_subcommand -l version -d 'Show the version'",
    ...commands.flatMap(commandLines),
    "",
  ].join("\n");
}
