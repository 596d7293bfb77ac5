/** The two labels of the interface (service-api.md, "Versioning"). */
export const apiVersions = ["0.8.3", "0.7.5"] as const;
export type ApiVersion = (typeof apiVersions)[number];
export const defaultApiVersion: ApiVersion = "0.8.3";
