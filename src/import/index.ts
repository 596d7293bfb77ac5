/**
 * The import of a study's files into a new snapshot of a lake. What reads them is loaded on the
 * first call.
 */
import { lazily } from "../platform/index.js";

export type { Mapping } from "./mapping.js";

export const readMapping = lazily(async () => (await import("./mapping.js")).readMapping);
export const parseMapping = lazily(async () => (await import("./mapping.js")).parseMapping);
export const importSnapshot = lazily(async () => (await import("./import.js")).importSnapshot);
export const sourceFiles = lazily(async () => (await import("./import.js")).sourceFiles);
export const guessMapping = lazily(async () => (await import("./guess.js")).guessMapping);
