/** Polls until a value is accepted, every 40 ms at last. It has no time limit: the test's timeout ends a wait that fails. */
export async function until<T>(
  look: () => T | Promise<T>,
  isWanted: (value: T) => boolean = Boolean,
): Promise<T> {
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, 40)) {
    const value = await look();
    if (isWanted(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
