import type { Random } from "../platform/index.js";

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** An identifier of letters and digits, as paths allow them. */
export function identifier(random: Random, length = 8): string {
  let text = "";
  for (let i = 0; i < length; i += 1) text += letters[Math.floor(random() * letters.length)] ?? "x";
  return text;
}

/** A 32-bit seed out of any text (FNV-1a). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
