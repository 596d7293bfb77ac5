import type { OperationName } from "../../contract/index.js";
import { reading } from "./reading.js";
import { writing } from "./writing.js";

/** One handler for each operation of the contract that is about a project. */
export const handlers = { ...reading, ...writing } satisfies Partial<Record<OperationName, unknown>>;

/** The compiler's word that none is missing. */
export type Unhandled = Exclude<OperationName, keyof typeof handlers | "listOrganizationBillingEvents">;
export const noneMissing: Unhandled extends never ? true : false = true;
