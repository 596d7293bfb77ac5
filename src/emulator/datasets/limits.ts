/** Bounds of an uploaded dataset: assumptions, docs/service.md. */
export interface UploadLimits {
  /** Bytes of the file as sent. */
  fileBytes: number;
  /** Bytes of all entries unpacked. */
  unpackedBytes: number;
  /** Unpacked bytes for each packed byte. */
  ratio: number;
  entries: number;
}

export const defaultLimits: UploadLimits = {
  fileBytes: 256 * 1024 ** 2,
  unpackedBytes: 1024 ** 3,
  ratio: 200,
  entries: 10_000,
};
