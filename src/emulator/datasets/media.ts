/** File names of stimuli. */
const media =
  /\.(wav|flac|mp3|ogg|opus|m4a|aac|aiff?|png|jpe?g|webp|gif|bmp|tiff?|avif|mp4|webm|mov|mkv|avi|y4m|html?|txt)$/i;

export interface Named {
  source: string;
  condition: string;
  is_reference: boolean;
}

export const isMedia = (path: string): boolean => media.test(path);

/** Folder and file of a path as source and condition; `reference.*` is the reference. Null if the path is too deep. */
export function named(path: string): Named | null {
  const parts = path.split("/");
  if (parts.length > 2) return null;
  const file = parts.at(-1) ?? "";
  const condition = file.replace(/\.[^.]+$/, "");
  return {
    source: parts.length === 2 ? (parts[0] ?? "") : "",
    condition,
    is_reference: condition.toLowerCase() === "reference",
  };
}

/** Files that archivers add; they are ignored. */
export const isClutter = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX" || part === "Thumbs.db");
