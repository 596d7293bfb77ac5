import { isLeftover } from "../layout.js";
import type { Entry } from "../store.js";
import type { Verification } from "./verification.js";

/** What a project consists of, outside its snapshots. */
const places: readonly { readonly path: RegExp; readonly kind: Entry["kind"] }[] = [
  { path: /^(snapshots|raw|derived|staging)$/, kind: "folder" },
  { path: /^snapshots\/[^./][^/]*$/, kind: "folder" },
  { path: /^raw\/[0-9a-f]{64}\.json\.gz$/, kind: "file" },
  { path: /^(current|runs\.jsonl)$/, kind: "file" },
  { path: /^\.lease\.json$/, kind: "file" },
  { path: /^\.lock\.duckdb(\.[\w.]+)?$/, kind: "file" },
];

/** Finds what does not belong into a project's folder, and what an interrupted writer left there. */
export function checkPlaces({ tree, layout, store, leftovers, report }: Verification): void {
  let judged = "";
  for (const [path, { kind }] of tree) {
    if (judged !== "" && path.startsWith(judged)) continue;
    const place = places.find((one) => one.path.test(path));
    if (isLeftover(path)) leftovers.push(store.locate(`${layout.project}/${path}`));
    else if (place === undefined) report(path, "does not belong to a lake");
    else if (kind !== place.kind) report(path, `is a ${kind}, not a ${place.kind}`);
    // The files of a snapshot are checked against its manifest, and what is in a folder that was reported goes with it.
    const isOpen = place !== undefined && /^(snapshots|raw)$/.test(path);
    if (kind === "folder" && !isOpen) judged = `${path}/`;
  }
}
