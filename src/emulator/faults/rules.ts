import type { Static, TObject } from "typebox";
import { Enum, operationNames } from "../../contract/index.js";
import { Type } from "../../platform/index.js";
import { readValue, ruleReader } from "../rule-reader.js";
import type { FaultKind } from "./fault.js";
import * as request from "./request.js";
import * as response from "./response.js";
import * as rows from "./rows.js";
import * as wire from "./wire.js";

/** Every kind of fault: what the files of the four stages export. */
const registry = { ...request, ...response, ...rows, ...wire };
type Registry = typeof registry;

/** A fault as a rule states it: `{ kind, …fields }`. */
export type Fault = {
  [N in keyof Registry]: Registry[N] extends FaultKind<infer K, infer P> ? { kind: K } & Static<TObject<P>> : never;
}[keyof Registry];

const kinds = new Map(Object.values(registry).map((one) => [one.kind as string, one as FaultKind]));

/** Every kind of fault by name. */
export const faultKinds: ReadonlyMap<string, FaultKind> = kinds;

export function kindOf({ kind }: Fault): FaultKind {
  const found = kinds.get(kind);
  if (found === undefined) throw new RangeError(`no fault ${kind}`);
  return found;
}

const closed = { additionalProperties: false } as const;

/** A fault and the requests that it is for. Each rule counts its own requests, from 1. */
const faultRuleSchema = Type.Object(
  {
    operation: Type.Optional(Enum(["*", ...operationNames])),
    experiment: Type.Optional(Type.String()),
    nth: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Array(Type.Integer({ minimum: 1 }))])),
    times: Type.Optional(Type.Integer({ minimum: 1, description: "Only the first requests, this many." })),
    probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Drawn from the seed." })),
    fault: Type.Unsafe<Fault>({
      type: "object",
      required: ["kind"],
      discriminator: { propertyName: "kind" },
      oneOf: [...kinds.values()].map(({ kind, fields }) =>
        Type.Object({ kind: Type.Literal(kind), ...fields }, closed),
      ),
    }),
  },
  closed,
);

export type FaultRule = Static<typeof faultRuleSchema>;

/** @throws UsageError naming the rule, the field and the value. */
export const faultRules = ruleReader<FaultRule>(
  faultRuleSchema,
  'docs/emulator.md, "Fault injection", lists the faults',
);

/** Reads a YAML or JSON file with a list of fault rules. @throws UsageError. */
export const readFaultRules = async (path: string): Promise<FaultRule[]> => faultRules(await readValue(path), path);
