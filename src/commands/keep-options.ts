import type { Retention } from "../lake/index.js";
import { settings } from "../platform/index.js";
import { flagFor } from "./flags.js";

/** Flags that say which snapshots to keep. */
export const keepOptions = {
  "keep-last": flagFor("keep-last", settings.keep_last),
  "keep-daily": flagFor("keep-daily", settings.keep_daily),
  "keep-monthly": flagFor("keep-monthly", settings.keep_monthly),
  "keep-yearly": flagFor("keep-yearly", settings.keep_yearly),
  "keep-models": flagFor("keep-models", settings.keep_models),
} as const;

export type KeepArguments = { readonly [Flag in keyof typeof keepOptions]: number | undefined };

/** What the flags say to keep; null if none names snapshots. */
export function retentionOf(args: KeepArguments): Retention | null {
  const { "keep-last": last, "keep-daily": daily, "keep-monthly": monthly, "keep-yearly": yearly } = args;
  const isSaid = [last, daily, monthly, yearly].some((count) => count !== undefined);
  return isSaid ? { last, daily, monthly, yearly, models: args["keep-models"] } : null;
}
