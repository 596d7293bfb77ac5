import { dataSection } from "./data.js";
import { differencesSection } from "./differences.js";
import { glossarySection } from "./glossary.js";
import { methodSection } from "./method.js";
import { rankingsSection } from "./rankings.js";
import type { Section } from "./section.js";
import { verdictSection } from "./verdict.js";

/** The questions that the page answers, in this order. Adding one is adding its value here. */
export const sections: readonly Section[] = [
  verdictSection,
  differencesSection,
  rankingsSection,
  dataSection,
  methodSection,
  glossarySection,
];
