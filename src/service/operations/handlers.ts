import { operationNames, type OperationName } from "../../contract/index.js";
import { HttpFailure } from "../http/failure.js";
import type { Handler } from "./asked.js";
import { reading } from "./reading.js";
import { writing } from "./writing.js";

const missing: Handler = () => {
  throw new HttpFailure(501, "not_implemented", "The local service does not do this yet.");
};

/** One handler for each operation of the contract. */
export const handlers = Object.fromEntries(
  operationNames.map((name) => [name, reading[name] ?? writing[name] ?? missing]),
) as Record<OperationName, Handler>;
