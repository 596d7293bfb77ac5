import { byText, didYouMean, UsageError } from "../../platform/index.js";
import type { EmulatorOptions } from "../options.js";
import * as data from "./data.js";
import * as published from "./published.js";
import type { Scenario } from "./scenario.js";
import * as service from "./service.js";

/** Every scenario: what the files of this folder export, by exit code and name. */
export const scenarios: readonly Scenario[] = Object.values<Scenario>({ ...published, ...data, ...service }).toSorted(
  (a, b) => a.ends.exitCode - b.ends.exitCode || byText(a.name, b.name),
);

/**
 * The options of a scenario. The sample counts training ratings in one place without saying so; here it says it, so that
 * nothing is wrong except what the scenario is about. @throws UsageError for a name that is none.
 */
export function scenarioOptions(name: string): Pick<EmulatorOptions, "publishing" | "faults"> {
  const names = scenarios.map((one) => one.name);
  const found = scenarios.find((one) => one.name === name);
  if (found === undefined)
    throw new UsageError(
      `--scenario ${name} is none of the scenarios.${didYouMean(name, names)} \`--scenario help\` lists them.`,
    );
  const { publishing = [], ...rest } = found.options;
  return { ...rest, publishing: [{ options: "stated" }, ...publishing] };
}

/** A line for each scenario: name, exit code of `recount run`, and what happens. */
export function scenarioList(): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  return scenarios
    .map(({ name, ends, description }) => `${name.padEnd(width)}  ${ends.exitCode}  ${description}`)
    .join("\n");
}
