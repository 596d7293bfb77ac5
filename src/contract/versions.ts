import type { TObject } from "typebox";

/** The two labels of the interface (service-api.md, "Versioning"). */
export const apiVersions = ["0.8.3", "0.7.5"] as const;
export type ApiVersion = (typeof apiVersions)[number];
export const defaultApiVersion: ApiVersion = "0.8.3";

/** A record with one shape in both versions. */
export const same = <T extends TObject>(schema: T) => ({ "0.8.3": schema, "0.7.5": schema });

/** A record with a different shape in each version. */
export const versioned = <N extends TObject, O extends TObject>(newer: N, older: O) => ({
  "0.8.3": newer,
  "0.7.5": older,
});
