import { TransientFailure } from "../../client/index.js";
import { createListTokenizer, push, tokenizeFile } from "./tokenizer.js";

/** The elements of a body, from its bytes. */
export interface Count {
  readonly elements: number;
  /** True when the engine cannot read the body as it is: an element has control characters or is too large. */
  readonly isFlawed: boolean;
}

/**
 * Counts the elements of the JSON list (or 1 for the single object) in a file, or in its bytes. Memory does not grow with the file.
 * @throws TransientFailure when the text is not one whole list or object
 */
export async function countElements(body: string | Buffer): Promise<Count> {
  let isFlawed = false;
  const tokenizer = createListTokenizer({ onFlaw: () => (isFlawed = true) });
  if (typeof body === "string") await tokenizeFile(body, tokenizer);
  else push(body, tokenizer);
  const { state, oddity, elements } = tokenizer;
  if (state === "odd") throw new TransientFailure(`the body has ${oddity}: it is damaged.`);
  if (state !== "ended") throw new TransientFailure("the body ends in the middle of its JSON: it is truncated.");
  return { elements, isFlawed };
}
