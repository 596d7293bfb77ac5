import { apply, type StateChange } from "./change.js";
import { emptyState, type State } from "./state.js";

/** Where changes are made durable. */
export interface Journal {
  /** Resolves once the changes would survive a crash. */
  append(changes: readonly StateChange[]): Promise<void>;
  close(): Promise<void>;
}

const inMemory: Journal = { append: () => Promise.resolve(), close: () => Promise.resolve() };

/** The state and its history. */
export interface Store {
  readonly state: State;
  /** Counts all changes so far; an ETag depends on it. */
  readonly revision: number;
  /** Applies `changes` together and resolves when they are durable. */
  commit(changes: readonly StateChange[]): Promise<void>;
  close(): Promise<void>;
}

export function createStore(initial: readonly StateChange[], journal: Journal = inMemory): Store {
  const state = emptyState();
  let revision = 0;
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
    async commit(changes) {
      if (changes.length === 0) return;
      take(changes);
      await journal.append(changes);
    },
    close: () => journal.close(),
  };
}
