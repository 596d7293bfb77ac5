/** The item a stimulus stands for: the first capture of `pattern`, else the stimulus itself. */
export function itemOf(stimulus: string, pattern: string | null): string {
  if (pattern === null) return stimulus;
  return new RegExp(pattern, "u").exec(stimulus)?.[1] ?? stimulus;
}
