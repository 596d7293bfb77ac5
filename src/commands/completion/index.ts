/** Scripts that complete command lines, made from the descriptions of the commands. */
import { bashCompletion } from "./bash.js";
import { fishCompletion } from "./fish.js";
import { zshCompletion } from "./zsh.js";

export const completions = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
