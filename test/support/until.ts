/** Looks again and again until a value is as wanted. It has no bound of its own: the test's timeout ends a vain wait. */
export async function until<T>(look: () => T | Promise<T>, isWanted: (value: T) => boolean = Boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (isWanted(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
