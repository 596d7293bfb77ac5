import { dirname } from "node:path";
import {
  columnsWritten,
  keyOf,
  layoutOf,
  manifestFormat,
  manifestName,
  manifestText,
  openStore,
  packedText,
  partIn,
  places,
  type Manifest,
  type Snapshot,
  type Unit,
} from "../../lake/index.js";
import { digestOf, makeDir } from "../../platform/index.js";
import {
  addPseudonyms,
  openWarehouse,
  partFormat,
  pseudonymisedPart,
  text,
  type Pseudonyms,
} from "../../warehouse/index.js";

/**
 * Copies a snapshot into another lake, with pseudonyms in the place of the identifiers and without the free text, the
 * bodies and the deletions, which have the identifiers too.
 */
export async function copyUnderPseudonyms(snapshot: Snapshot, pseudonyms: Pseudonyms, lake: string): Promise<void> {
  const { id, projectId, manifest } = snapshot;
  const store = openStore(lake);
  const folder = `${layoutOf(projectId).snapshots}/${id}`;
  const warehouse = await openWarehouse({ sources: {}, lake: snapshot.locate("") });
  try {
    addPseudonyms(warehouse, pseudonyms);
    const units: Unit[] = [];
    for (const unit of manifest.units) {
      const parts = [];
      for (const part of unit.parts) {
        const copied = partIn(places, part, unit.experiment_id);
        const file = store.locate(keyOf(folder, copied, copied.path));
        await makeDir(dirname(file));
        const rows = pseudonymisedPart(part.table, snapshot.locate(part.path));
        await warehouse.all(`copy (${rows}) to ${text(file)} (${partFormat(part.table)})`);
        parts.push({ ...copied, ...(await digestOf(file)) });
      }
      units.push({ ...unit, parts });
    }
    const copy: { -readonly [K in keyof Manifest]: Manifest[K] } = {
      ...manifest,
      ...{ format: manifestFormat, units, columns: columnsWritten(units), pseudonyms: pseudonyms.keyId },
    };
    delete copy.tombstones;
    delete copy.raw;
    await store.put(`${folder}/${manifestName}`, packedText(manifestText(copy)));
  } finally {
    warehouse.close();
  }
}
