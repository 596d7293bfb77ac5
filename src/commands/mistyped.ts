import { didYouMean } from "../platform/index.js";

/** Flags and aliases of the command that is parsed, as yargs has them. */
export interface KnownFlags {
  readonly key: Readonly<Record<string, unknown>>;
  readonly alias: Readonly<Record<string, readonly string[]>>;
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The first token that looks like a flag and is none of the known ones: as it is written, without a value. */
function unknownFlag(argv: readonly string[], known: ReadonlySet<string>): string | undefined {
  const options = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const flags = options.filter((token) => /^--?[a-z]/i.test(token)).map((token) => token.replace(/=[^]*$/, ""));
  return flags.find((flag) =>
    flag.startsWith("--") ? !known.has(kebab(flag.replace(/^--(no-)?/, ""))) : !known.has(flag[1] ?? ""),
  );
}

/** Says which command or flag does not exist, with the nearest one that does; null if all exist. */
export function mistyped(
  argv: readonly string[],
  commands: readonly string[],
  { key, alias }: KnownFlags,
): string | null {
  const command = argv.find((token) => commands.includes(token));
  const word = argv.find((token) => !token.startsWith("-"));
  if (command === undefined && word !== undefined)
    return `There is no command ${word}.${didYouMean(word, commands) || " `recount --help` lists them."}`;
  const known = new Set([...Object.keys(key), ...Object.values(alias).flat()]);
  const flag = unknownFlag(argv, known);
  if (flag === undefined) return null;
  const long = [...known].filter((name) => name.length > 1 && kebab(name) === name).map((name) => `--${name}`);
  const near = didYouMean(flag.replace(/^-(?!-)/, "--"), long);
  if (command === undefined) return `There is no flag ${flag}.${near || " `recount --help` lists them."}`;
  return `${command} has no flag ${flag}.${near || ` \`recount ${command} --help\` lists them.`}`;
}
