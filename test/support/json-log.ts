import { expect } from "vitest";

/** The lines of a JSON log. Fails unless each has a time, a level and a message. */
export function logged(stderr: string): Record<string, unknown>[] {
  const lines = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const line of lines)
    expect(line).toMatchObject({
      level: expect.stringMatching(/^(debug|info|warn|error)$/) as string,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      message: expect.stringMatching(/^(?!recount: )./) as string,
    });
  return lines;
}
