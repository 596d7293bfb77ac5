import { operation, secretFields } from "../../contract/index.js";
import { manifestName } from "../layout.js";
import { bodyKey } from "../part-files.js";
import type { Manifest, RawBody, Unit } from "../manifest.js";
import { checkRawBody } from "./raw.js";
import type { Verification } from "./verification.js";

/** A request as problems name it, for example "listRatings of exp1 (training=true)". */
export function requestOf({ operation, parameters, experiment_id }: Unit): string {
  const named = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  const of = experiment_id === null ? "" : ` of ${experiment_id}`;
  return `${operation}${of}${named.length === 0 ? "" : ` (${named.join(", ")})`}`;
}

const isSecret = (unit: Unit) => {
  const { record } = operation(unit.operation);
  return unit.is_withheld === true || (record !== undefined && secretFields(record).length > 0);
};

/** The bodies that a manifest's requests received and its list of kept bodies lacks, and the other way round. */
export function unmatchedBodies({ units, raw }: Manifest): string[] {
  if (raw === undefined) return [];
  const kept = new Set(raw.map(({ body }) => body));
  const received = new Set(units.map(({ body }) => body?.sha256));
  const lost = units.filter((unit) => unit.body !== null && !kept.has(unit.body.sha256) && !isSecret(unit));
  const strange = raw.filter(({ body }) => !received.has(body));
  return [
    ...lost.map((unit) => `does not list the body of ${requestOf(unit)} among the kept ones`),
    ...strange.map(({ body }) => `lists the kept body ${body}, which no request received`),
  ];
}

/** The units of all manifests that received a body. */
type Receivers = readonly { readonly snapshot: string; readonly unit: Unit }[];

/** Says what is wrong with a kept body, and compares the number of its elements with what its receivers state. */
async function bodyProblem(
  path: string,
  stated: RawBody,
  receivers: Receivers,
  verification: Verification,
): Promise<string | null> {
  const { store, layout, tree, report } = verification;
  const entry = tree.get(path);
  if (entry === undefined) return "is missing";
  if (entry.kind !== "file") return null; // reported with the places
  if (entry.bytes !== stated.bytes) return `has ${entry.bytes} bytes, the manifest says ${stated.bytes}`;
  verification.files++;
  verification.bytes += entry.bytes;
  const limit = receivers.reduce((most, { unit }) => Math.max(most, unit.body?.bytes ?? 0), 0);
  const { problem, elements } = await checkRawBody(store, `${layout.project}/${path}`, stated, limit);
  if (problem !== null) return problem;
  for (const { snapshot, unit } of receivers.filter((one) => one.unit.elements !== elements))
    report(
      `snapshots/${snapshot}/${manifestName}`,
      `states ${unit.elements} elements for ${requestOf(unit)}, but its kept body has ${elements}`,
    );
  return null;
}

/** Reads the kept bodies that manifests name, each once, and counts their elements again. */
export async function checkBodies(manifests: readonly Manifest[], verification: Verification): Promise<void> {
  const receivers = new Map<string, Receivers[number][]>();
  for (const { snapshot, units } of manifests)
    for (const unit of units) {
      if (unit.body === null) continue;
      const own = receivers.get(unit.body.sha256) ?? [];
      own.push({ snapshot, unit });
      receivers.set(unit.body.sha256, own);
    }
  const { project } = verification.layout;
  const stated = new Map(manifests.flatMap(({ raw = [] }) => raw.map((one) => [bodyKey(project, one), one] as const)));
  for (const [key, one] of stated) {
    const path = key.slice(project.length + 1);
    const problem = await bodyProblem(path, one, receivers.get(one.body) ?? [], verification);
    if (problem !== null) verification.report(path, problem);
  }
}
