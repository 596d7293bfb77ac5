import { pairedAlgorithms, pairedDefinitions } from "./paired-algorithms.js";
import { scoredAlgorithms, scoredDefinitions } from "./scored-algorithms.js";

/** Conventions that the audit knows, under their names, and other algorithms, without one. */
export const algorithms = [...scoredAlgorithms, ...pairedAlgorithms];

/** The definitions themselves, for errors and other populations. */
export const definitions = [...scoredDefinitions, ...pairedDefinitions];
