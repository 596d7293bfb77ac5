import type { CommandDescription, Value } from "../describe.js";

/** How bash completes a value. */
function valueWords({ kind, choices }: Value): string {
  if (kind === "folder") return "_recount_paths -d";
  if (kind === "file") return "_recount_paths -f";
  return kind === "choice" ? `_recount_words "${choices.join(" ")}"` : ":";
}

function caseOf({ name, flags, arguments: values }: CommandDescription): string {
  const spellings = new Map<string, string[]>();
  for (const flag of flags.filter(({ kind }) => kind !== "switch")) {
    const words = valueWords(flag);
    const own = [`--${flag.name}`, ...(flag.letter === null ? [] : [`-${flag.letter}`])];
    spellings.set(words, [...(spellings.get(words) ?? []), ...own]);
  }
  const [first] = values.filter(({ kind }) => kind !== "text" && kind !== "number");
  return [
    `    ${name})`,
    '      case "$before" in',
    ...[...spellings].map(([words, own]) => `        ${own.join(" | ")}) ${words}; return ;;`),
    "      esac",
    '      case "$word" in',
    `        -*) _recount_words "${[...flags.map((flag) => `--${flag.name}`), "--help"].join(" ")}" ;;`,
    `        *) ${first === undefined ? ":" : valueWords(first)} ;;`,
    "      esac ;;",
  ].join("\n");
}

/** The completion of bash, 3.2 or later. */
export function bashCompletion(commands: readonly CommandDescription[]): string {
  return `# Completion of recount for bash: source <(recount completion bash)
_recount_words() {
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$1" -- "$word"))
}
_recount_paths() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$word"))
  compopt -o filenames 2> /dev/null
}
_recount() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" i
  # Bash splits --flag=value into three words.
  [[ $word == "=" ]] && word=""
  [[ $before == "=" ]] && before="\${COMP_WORDS[COMP_CWORD-2]}"
  [[ \${COMP_WORDS[COMP_CWORD]} == "=" ]] && before="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} != -* ]] && { command="\${COMP_WORDS[i]}"; break; }
  done
  case "$command" in
    "") _recount_words "${[...commands.map(({ name }) => name), "--help", "--version"].join(" ")}" ;;
${commands.map(caseOf).join("\n")}
  esac
}
complete -F _recount recount
`;
}
