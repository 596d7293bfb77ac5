import type { OperationName } from "../../contract/index.js";
import type { Handler } from "./asked.js";

/** Every operation that changes the project. */
export const writing: Partial<Record<OperationName, Handler>> = {};
