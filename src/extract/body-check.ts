import { TransientFailure, type DownloadOptions } from "../client/index.js";
import { messageOf } from "../platform/index.js";
import { countElements } from "./count-elements.js";
import type { BodyScanner, Following } from "./scan/body-scanner.js";
import type { Scan } from "./scan/list-scanner.js";
import type { Shape } from "./scan/shape.js";

/** Looks at a body while it arrives, attempt by attempt, and counts its elements. */
export interface BodyCheck extends Required<Pick<DownloadOptions, "onAttempt" | "onBytes" | "verify">> {
  elements(): number;
  scan(): Scan | undefined;
}

/** Where a scan vouches for the body, its count is taken; otherwise the elements are counted over the bytes, whatever they are. */
export function createBodyCheck(name: string, file: string, scanner: BodyScanner, shape: Shape | undefined): BodyCheck {
  let following: Following | undefined;
  let received = 0;
  let elements = 0;
  let scan: Scan | undefined;
  return {
    elements: () => elements,
    scan: () => scan,
    onAttempt() {
      following?.drop();
      received = 0;
      following = shape && scanner.follow(file, shape);
    },
    onBytes(bytes) {
      following?.advance(received);
      received += bytes;
    },
    async verify(body) {
      scan = await following?.finish(received);
      following = undefined;
      if (scan?.conforms) elements = scan.elements;
      else {
        elements = await countElements(body).catch((error: unknown) => {
          throw new TransientFailure(`${name}: ${messageOf(error)}`, { cause: error });
        });
      }
    },
  };
}
