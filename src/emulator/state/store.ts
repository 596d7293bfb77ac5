import { apply, type Change } from "./change.js";
import { emptyState, type State } from "./state.js";

/** Where changes are made to last. Resolves once they would survive a crash. */
export interface Journal {
  append(changes: readonly Change[]): Promise<void>;
  close(): Promise<void>;
}

const forgetful: Journal = { append: () => Promise.resolve(), close: () => Promise.resolve() };

/** The state and its history. A change is in the journal before anyone is told of it. */
export class Store {
  readonly state: State = emptyState();
  /** Counts changes since the beginning; a validator for what depends on the whole state. */
  revision = 0;

  constructor(
    initial: Iterable<Change>,
    private readonly journal: Journal = forgetful,
  ) {
    for (const change of initial) this.take(change);
  }

  /** Applies `changes` together and resolves when they are durable. */
  async commit(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    for (const change of changes) this.take(change);
    await this.journal.append(changes);
  }

  private take(change: Change): void {
    apply(this.state, change);
    this.revision += 1;
  }

  close(): Promise<void> {
    return this.journal.close();
  }
}
