import { UsageError } from "../platform/index.js";

interface FlagSetting {
  readonly type: "integer" | "number" | "boolean";
  readonly default: number | boolean;
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

type ValueOf<S extends FlagSetting> = S["type"] extends "boolean" ? boolean : number;

/** A command-line flag for a setting of pipeline files: the same description, bounds and default. */
export function flagFor<S extends FlagSetting>(name: string, setting: S) {
  const { type, minimum = -Infinity, maximum = Infinity } = setting;
  const whole = type === "integer" ? "a whole number" : "a number";
  const isValid = (value: unknown) =>
    type === "boolean" ||
    (Number(value) >= minimum && Number(value) <= maximum && (type === "number" || Number.isInteger(value)));
  return {
    type: type === "boolean" ? "boolean" : "number",
    default: setting.default as ValueOf<S>,
    describe: setting.description.replace(/\.$/, setting.minimum === undefined ? "" : `, ${minimum} to ${maximum}`),
    coerce: (value: unknown): ValueOf<S> => {
      if (isValid(value)) return value as ValueOf<S>;
      throw new UsageError(`--${name} must be ${whole} from ${minimum} to ${maximum}, not ${String(value)}.`);
    },
  } as const;
}
