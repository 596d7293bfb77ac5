/** A bound on work, counted in numbers gone through: the same on every machine. */
export class Budget {
  #left: number;
  #spent = 0;
  readonly #whole: Budget | null;

  constructor(work: number, whole: Budget | null = null) {
    this.#left = work;
    this.#whole = whole;
  }

  get left(): number {
    return Math.min(this.#left, this.#whole?.left ?? Infinity);
  }

  get spent(): number {
    return this.#spent;
  }

  /** True where the work may be done; what does not fit is not charged. */
  spend(work: number): boolean {
    if (work > this.#left || this.#whole?.spend(work) === false) return false;
    this.#left -= work;
    this.#spent += work;
    return true;
  }

  /** A part of what is left, charged here as it is spent. */
  share(part: number): Budget {
    return new Budget(this.#left * part, this);
  }
}
