import { looksSecret } from "../contract/index.js";
import type { Shortfall, Unit } from "../lake/index.js";
import type { Log } from "../platform/index.js";

/** Where the unknown fields are: those that look like secrets are not stored. */
function kept(unknown: readonly string[]): string {
  const [dropped, shown] = [unknown.filter(looksSecret), unknown.filter((name) => !looksSecret(name))];
  return [
    ...(shown.length > 0 ? [`kept in _meta: ${shown.join(", ")}`] : []),
    ...(dropped.length > 0 ? [`not stored because they look like secrets: ${dropped.join(", ")}`] : []),
  ].join("; ");
}

function secretsNotice(units: readonly Unit[]): string {
  const found = units.reduce((sum, { secrets }) => sum + (secrets?.found ?? 0), 0);
  const lists = [...new Set(units.map(({ operation }) => operation))].join(", ");
  const isMasked = units.every(({ secrets }) => secrets?.is_masked);
  const state = isMasked
    ? "They are masked in the snapshot."
    : "They are in the snapshot. Set export.mask_secrets or --mask-secrets to mask them, and replace the key.";
  return `The service repeats the credentials of this export ${found} ${found === 1 ? "time" : "times"}, in ${lists}. ${state}`;
}

/** Warns of secrets in the data, of everything that keeps the snapshot from being whole, and of fields that the contract does not know. */
export function logNotices(units: readonly Unit[], shortfalls: readonly Shortfall[], log: Log): void {
  for (const { message, ...fields } of shortfalls) log.warn(message, fields);
  const repeating = units.filter(({ secrets }) => secrets !== undefined);
  if (repeating.length > 0) log.warn(secretsNotice(repeating));
  for (const { operation, experiment_id, parts } of units) {
    const where = `${operation}${experiment_id === null ? "" : ` of ${experiment_id}`}`;
    for (const { table, unknown_fields } of parts) {
      const unknown = Object.keys(unknown_fields);
      if (unknown.length > 0)
        log.warn(`${where}: unknown fields in ${table}, ${kept(unknown)}.`, { table, unknown_fields });
    }
  }
  const repeated = units.flatMap(({ parts }) => parts).reduce((sum, part) => sum + (part.repeated ?? 0), 0);
  if (repeated > 0)
    log.info(
      `${repeated} rows published for one source repeat the whole list and are not stored twice. If this service ignores \`source\`, --sources whole saves the requests.`,
      { repeated },
    );
}
