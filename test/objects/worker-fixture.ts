import { request } from "node:http";
import type { RunningEmulator } from "../../src/emulator/index.js";
import type { Manifest } from "../../src/lake/index.js";
import type { Seen } from "./object-storage.js";
import { httpServer } from "../support/raw-server.js";

/** A process whose lease soon runs out: for one that is killed or stopped. */
export const shortLease = `data:text/javascript,${encodeURIComponent(
  `import { leaseTimes } from ${JSON.stringify(new URL("../../dist/lake/object-store/lease.js", import.meta.url).href)};
   Object.assign(leaseTimes, { lasts: 3000, renewed: 100, looked: 50 });`,
)}`;

/** Moments of a worker, by the request that it is about to make. */
export const readingMoments = {
  "before the opening is noted": ({ path }: Seen) => path.endsWith("/opening.json"),
  "before an experiment is noted": ({ method, path }: Seen) => method === "PUT" && path.includes("/experiments/"),
  "before its share is noted": ({ method, path }: Seen) => method === "PUT" && path.endsWith("/whole/1"),
};
export const publishingMoments = {
  "before it announces the manifest": ({ method, path, body }: Seen) =>
    method === "PUT" && path.endsWith("/.lease.json") && body.includes('"publishing"'),
  "before it writes the manifest": ({ method, path }: Seen) => method === "PUT" && path.includes("/manifest.json"),
  "before it names it in current": ({ method, path }: Seen) => method === "PUT" && path.endsWith("/current"),
};

/** Everything that a snapshot says about the data, without times and places. */
export function contentOf({ experiments, units, raw = [], tombstones, columns }: Manifest) {
  const anywhere = { snapshot: undefined };
  const described = units.map((unit) => ({
    ...{ ...unit, started_at: "", elapsed_ms: 0, attempts: 1 },
    parts: unit.parts.map((part) => ({ ...part, ...anywhere })),
  }));
  return {
    ...{ experiments, tombstones, columns },
    units: described.map((one) => JSON.stringify(one)).toSorted(),
    bodies: raw.map((one) => ({ ...one, ...anywhere })),
  };
}

/** The parts of a snapshot with the one whose folder has them. */
export const partsOf = ({ units, snapshot }: Manifest) =>
  units.flatMap(({ parts }) => parts.map((part) => ({ ...part, snapshot: part.snapshot ?? snapshot })));

/** The requests that a service has answered, sorted. */
export const requestsOf = ({ faults }: RunningEmulator) =>
  faults
    .journal()
    .map(({ path }) => path)
    .toSorted();

/** Passes requests on to a service, and knows how many are open. */
export interface Gate {
  readonly url: string;
  /** Requests that are open. */
  open(): number;
  /** Runs before each request; what it returns holds the request until then. */
  before(does: (path: string) => Promise<void> | undefined): void;
  close(): Promise<void>;
}

export async function startGate(target: string): Promise<Gate> {
  let does: (path: string) => Promise<void> | undefined = () => undefined;
  let open = 0;
  const server = await httpServer((response, _, incoming) => {
    open++;
    response.on("close", () => open--);
    void (async () => {
      await does(incoming.url ?? "");
      const { method, headers } = incoming;
      const forwarded = request(target + (incoming.url ?? ""), { method, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(response);
      });
      forwarded.on("error", () => incoming.socket.destroy());
      forwarded.end();
    })();
  });
  return {
    url: server.url,
    open: () => open,
    before(own) {
      does = own;
    },
    close: () => server.close(),
  };
}
