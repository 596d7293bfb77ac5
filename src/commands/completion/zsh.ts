import type { CommandDescription, Flag, Value } from "../describe.js";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A description within brackets of `_arguments`. */
const described = (text: string) => text.replace(/[[\]:\\]/g, "\\$&");

/** How zsh completes a value. */
function actionOf({ kind, choices }: Value): string {
  if (kind === "folder") return "_files -/";
  if (kind === "file") return "_files";
  return kind === "choice" ? `(${choices.join(" ")})` : " ";
}

function flagSpec(flag: Flag): string[] {
  const { name, letter, kind, isList, text } = flag;
  const value = kind === "switch" ? "" : `:${name}:${actionOf(flag)}`;
  const spellings = [`--${name}${kind === "switch" ? "" : "="}`, ...(letter === null ? [] : [`-${letter}`])];
  const others = isList ? "*" : letter === null ? "" : `(--${name} -${letter})`;
  return spellings.map((spelling) => quoted(`${others}${spelling}[${described(text)}]${value}`));
}

function caseOf({ name, flags, arguments: values }: CommandDescription): string {
  const specs = [
    ...flags.flatMap(flagSpec),
    quoted("--help[Show help]"),
    ...values.map((value, i) => quoted(`${i + 1}::${value.name}:${actionOf(value)}`)),
  ];
  return [
    `        ${name})`,
    "          _arguments \\",
    specs.map((spec) => `            ${spec}`).join(" \\\n"),
    "          ;;",
  ].join("\n");
}

/** The completion of zsh. */
export function zshCompletion(commands: readonly CommandDescription[]): string {
  const names = commands.map(({ name, text }) => `        ${quoted(`${name}:${text.replaceAll(":", "\\:")}`)}`);
  return `#compdef recount
# Completion of recount for zsh: recount completion zsh > "\${fpath[1]}/_recount", or source <(recount completion zsh)
_recount() {
  local state line
  local -a commands
  _arguments -C '--help[Show help]' '--version[Show the version]' '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      commands=(
${names.join("\n")}
      )
      _describe command commands
      ;;
    argument)
      case $words[1] in
${commands.map(caseOf).join("\n")}
      esac
      ;;
  esac
}
if [ "$funcstack[1]" = "_recount" ]; then
  _recount "$@"
else
  compdef _recount recount
fi
`;
}
