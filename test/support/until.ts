/** Polls until a value is accepted. It has no time limit: the test's timeout ends a wait that fails. */
export async function until<T>(look: () => T | Promise<T>, isWanted: (value: T) => boolean = Boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (isWanted(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
