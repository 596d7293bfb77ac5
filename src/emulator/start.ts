// Starts an emulator and says how to reach it.
import type { FastifyInstance } from "fastify";
import { type Clock, codeOf, seededRandom, systemClock, UsageError } from "../platform/index.js";
import { type Emulator, type EmulatorOptions, emulatorSettings } from "./emulator.js";
import { createFaultInjector, type FaultInjector } from "./faults/injector.js";
import { createServer } from "./http/server.js";
import { publishedResults } from "./publishing/results.js";
import { initialState } from "./sample/sample.js";

/** Identifiers and keys of data/sample/project.yaml. They protect nothing. */
const sampleAccess = {
  projectId: "Listen42",
  /** Of a billing manager: it may read everything in the project. */
  apiKey: "sampleBilling",
  /** To try refusals. */
  keys: {
    member: "sampleMember",
    billing: "sampleBilling",
    owner: "sampleOwner",
    other: "sampleOther",
    organizationMember: "sampleOrganizationMember",
    organizationBilling: "sampleOrganizationBilling",
    organizationOwner: "sampleOrganizationOwner",
  },
  organization: { id: "Kestrel7", billingId: "Acct2031" },
};

export interface RunningEmulator extends Readonly<typeof sampleAccess> {
  /** Base URL without a trailing slash. */
  url: string;
  faults: Pick<FaultInjector, "set" | "journal" | "clearJournal">;
  close(): Promise<void>;
}

/** On 127.0.0.1. @throws UsageError for a malformed case file or a port in use. */
export async function startEmulator(
  options: EmulatorOptions = {},
  clock: Clock = systemClock,
): Promise<RunningEmulator> {
  const { port = 0 } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`${port} is not a port: give a whole number from 0 to 65535.`);
  const emulator = await assemble(options, clock);
  const { faults, address } = emulator;
  const app = createServer(emulator);
  const close = () => app.close();
  try {
    address.url = await listen(app, port);
    return { url: address.url, ...sampleAccess, faults, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble(options: EmulatorOptions, clock: Clock): Promise<Emulator> {
  const settings = emulatorSettings(options);
  return {
    state: await initialState(options),
    settings,
    clock,
    results: publishedResults(settings.publishing),
    faults: createFaultInjector(options.faults ?? [], settings.seed, clock),
    random: seededRandom(settings.seed),
    address: { url: "" },
  };
}

function listen(app: FastifyInstance, port: number): Promise<string> {
  return app.listen({ host: "127.0.0.1", port }).catch((error: unknown) => {
    if (codeOf(error) === "EADDRINUSE")
      throw new UsageError(
        `Port ${port} is in use; choose another with --port, or 0 for a free one.`,
      );
    throw error;
  });
}
