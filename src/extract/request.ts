import type { OperationName } from "../contract/index.js";
import type { Unit } from "../lake/index.js";
import type { Shape } from "./scan/shape.js";

/** One reading operation of an export. */
export interface Request {
  readonly operation: OperationName;
  readonly parameters: Readonly<Record<string, string>>;
  readonly experimentId?: string;
  /** True where a 404 means that this service does not offer the operation. */
  readonly optional?: boolean;
  /** What the elements should look like; a body of that shape is scanned while it arrives. */
  readonly shape?: Shape | undefined;
  /** The earlier answer of which the service may say that it still holds (304). */
  readonly earlier?: Pick<Unit, "etag" | "body" | "elements"> | undefined;
}
