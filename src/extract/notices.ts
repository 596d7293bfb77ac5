import type { Unit } from "../lake/index.js";
import type { Log } from "../platform/index.js";

/** Warns of quarantined rows, and of fields that the contract does not know. */
export function logNotices(units: readonly Unit[], log: Log): void {
  for (const { operation, experiment_id, parts } of units) {
    const where = `${operation}${experiment_id === null ? "" : ` of ${experiment_id}`}`;
    for (const { table, quarantined, quarantine, unknown_fields } of parts) {
      if (quarantined > 0)
        log.warn(`${where}: ${quarantined} rows of ${table} do not match their record; see ${quarantine ?? ""}.`, {
          table,
          quarantined,
        });
      const unknown = Object.keys(unknown_fields);
      if (unknown.length > 0)
        log.warn(`${where}: unknown fields in ${table}, kept in _meta: ${unknown.join(", ")}.`, {
          table,
          unknown_fields,
        });
    }
  }
}
