/**
 * The packs: what the core can do without. Each is a folder of `src`, and the core finds what it
 * brings only here.
 */
import type { ObjectStorage } from "./lake/index.js";
import type { Kernels } from "./metrics/index.js";
import type { StudyFiles, Notifier } from "./pipeline/index.js";
import type { StatisticsQueries } from "./report/index.js";
import { UsageError } from "./platform/errors.js";
import type { ClusterEngine } from "./warehouse/index.js";

/**
 * A folder of `src`, with those of the same name in `sql` and `test`. What it brings is loaded when
 * it is used.
 */
export interface Pack {
  readonly name: string;
  /** Its commands by name. `src/commands/main.ts` says where `recount --help` lists them. */
  readonly commands?: Readonly<Record<string, () => Promise<{ readonly command: object }>>>;
  /** Reads the files of a study, which a pipeline names instead of a service. */
  readonly files?: () => Promise<StudyFiles>;
  /** Kernels of its models. */
  readonly kernels?: () => Promise<{ readonly kernels: Kernels }>;
  /** Lakes in object storage. */
  readonly objects?: () => Promise<ObjectStorage>;
  /** Has a cluster make the long tables. */
  readonly cluster?: () => Promise<ClusterEngine>;
  /** How sure the rankings of the report's page are. */
  readonly statistics?: () => Promise<{ readonly pageQueries: StatisticsQueries }>;
  /** Refuses a schedule that it could not keep. */
  readonly schedule?: () => Promise<{
    readonly cronOf: (schedule: { cron: string; timezone: string }, now: Date) => unknown;
  }>;
  /** Sends the notices of a run. */
  readonly notices?: () => Promise<Notifier>;
}

export const packs: readonly Pack[] = [
  {
    name: "emulator",
    commands: {
      demo: () => import("./emulator/demo.js"),
      serve: () => import("./emulator/serve.js"),
    },
  },
  {
    name: "import",
    commands: { import: () => import("./import/command.js") },
    files: () => import("./import/index.js"),
  },
  {
    name: "mcp",
    commands: { mcp: () => import("./mcp/command.js") },
  },
  {
    name: "objects",
    objects: () => import("./objects/index.js"),
  },
  {
    name: "schedule",
    commands: { schedule: () => import("./schedule/command.js") },
    schedule: () => import("./schedule/index.js"),
    notices: () => import("./schedule/index.js"),
  },
  {
    name: "spark",
    cluster: () => import("./spark/index.js"),
  },
  {
    name: "statistics",
    kernels: () => import("./statistics/kernels/index.js"),
    statistics: () => import("./statistics/page.js"),
  },
];

/** What one pack brings, to load. @throws UsageError where that pack is absent */
export function fromPack<Part extends Exclude<keyof Pack, "name" | "commands">>(
  part: Part,
): NonNullable<Pack[Part]> {
  const found = packs.find((pack) => pack[part] !== undefined)?.[part];
  if (found === undefined)
    throw new UsageError(
      `This build of Recount lacks the pack for ${part}. Install a complete build.`,
    );
  return found;
}
