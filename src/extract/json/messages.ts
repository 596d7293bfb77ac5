import type { Scan } from "./list-scanner.js";
import type { Shape } from "./shape.js";

/** Messages to the scanning worker, and its answers. */
export type Order =
  | { readonly id: number; readonly order: "start"; readonly file: string; readonly shape: Shape }
  | { readonly id: number; readonly order: "advance"; readonly upTo: number }
  | { readonly id: number; readonly order: "finish"; readonly size: number }
  | { readonly id: number; readonly order: "drop" };

export type Answer = { readonly id: number; readonly scan: Scan } | { readonly id: number; readonly error: string };
