import { TransientFailure } from "../../client/index.js";
import { createListTokenizer, tokenizeFile } from "./tokenizer.js";

/**
 * Elements of the JSON list (or 1 for the single object) in `file`. Memory does not grow with the file.
 * @throws TransientFailure when the text is not one whole list or object
 */
export async function countElements(file: string): Promise<number> {
  const tokenizer = createListTokenizer({});
  await tokenizeFile(file, tokenizer);
  if (tokenizer.state === "odd")
    throw new TransientFailure("the body has text outside its one JSON value, or a comma without an element.");
  if (tokenizer.state !== "ended")
    throw new TransientFailure("the body ends in the middle of its JSON: it is truncated.");
  return tokenizer.elements;
}
