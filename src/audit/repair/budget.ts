/** A bound on work, counted in numbers read or written: the same on every machine. */
export interface Budget {
  /** Work that may still be done. */
  readonly left: () => number;
  /** Charges the work and returns true when it may be done; work that does not fit is not charged. */
  readonly spend: (work: number) => boolean;
  /** A budget for a part of what is left, charged here too as it is spent. */
  readonly share: (part: number) => Budget;
}

export function createBudget(work: number, parent: Budget | null = null): Budget {
  let own = work;
  const budget: Budget = {
    left: () => Math.min(own, parent?.left() ?? Infinity),
    spend: (amount) => {
      if (amount > own || parent?.spend(amount) === false) return false;
      own -= amount;
      return true;
    },
    share: (part) => createBudget(own * part, budget),
  };
  return budget;
}
