import { apply, type StateChange } from "./change.js";
import { emptyState, type State } from "./state.js";

/** Where changes are made durable. */
export interface Journal {
  /** Resolves once the changes would survive a crash; calls are written in their order. */
  append(changes: readonly StateChange[]): Promise<void>;
  close(): Promise<void>;
}

const inMemory: Journal = { append: () => Promise.resolve(), close: () => Promise.resolve() };

/** The state and its history. */
export interface Store {
  readonly state: State;
  /** Counts all changes so far; an ETag depends on it. */
  readonly revision: number;
  /** Runs work that decides on changes by the state and commits them. One runs at a time: each sees the last. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T>;
  /** Makes `changes` durable, then applies them together. When they cannot be written, the state does not change. */
  commit(changes: readonly StateChange[]): Promise<void>;
  close(): Promise<void>;
}

export function createStore(initial: readonly StateChange[], journal: Journal = inMemory): Store {
  const state = emptyState();
  let revision = 0;
  let last: Promise<unknown> = Promise.resolve();
  const take = (changes: readonly StateChange[]): void => {
    for (const change of changes) apply(state, change);
    revision += changes.length;
  };
  take(initial);
  return {
    state,
    get revision() {
      return revision;
    },
    inTurn(work) {
      const own = last.then(work);
      last = own.catch(() => undefined);
      return own;
    },
    async commit(changes) {
      if (changes.length === 0) return;
      await journal.append(changes);
      take(changes);
    },
    close: () => journal.close(),
  };
}
