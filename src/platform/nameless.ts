/** The order of things by what their records say, so that no renaming changes what is drawn. */

/** Things of one kind, numbered from 0, that records name. */
export interface Named {
  readonly size: number;
  /** By record; several for records that name several. */
  readonly columns: readonly Int32Array[];
  /** By column: numbers that belong to it, by record. */
  readonly own?: readonly Float64Array[];
}

const bits = new DataView(new ArrayBuffer(8));

/** Multiplicative steps of MurmurHash3's finaliser over both halves of the number. */
function mixed(hash: number, value: number): number {
  bits.setFloat64(0, value + 0);
  let mix = hash | 0;
  for (const at of [0, 4]) {
    mix = Math.imul(mix ^ bits.getInt32(at), 0x85ebca6b);
    mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
    mix ^= mix >>> 16;
  }
  return mix >>> 0;
}

/** Of neighbours of neighbours of neighbours: what differs beyond them is drawn alike. */
const rounds = 3;

/**
 * By kind: its numbers in an order that only the records decide (colour refinement; Weisfeiler and
 * Leman 1968). Things that the records do not tell apart keep their order.
 * @param shared numbers of the whole record
 */
export function namelessOrder(
  kinds: readonly Named[],
  shared: readonly Float64Array[],
): Int32Array[] {
  const records = kinds[0]?.columns[0]?.length ?? 0;
  let colours = kinds.map(({ size }) => new Float64Array(size));
  for (let round = 0; round < rounds; round++) {
    const next = colours.map((own) => new Float64Array(own.length));
    for (let record = 0; record < records; record++) {
      let whole = round;
      for (const values of shared) whole = mixed(whole, values[record]!);
      // Sums of whole numbers are the same in any order.
      const each = kinds.map(({ columns, own }, kind) =>
        columns.map((column, at) =>
          mixed(mixed(kind, colours[kind]![column[record]!]!), own?.[at]?.[record] ?? 0),
        ),
      );
      for (const slots of each) {
        let sum = 0;
        for (const slot of slots) sum += slot;
        whole = mixed(whole, sum);
      }
      kinds.forEach(({ columns }, kind) => {
        columns.forEach((column, at) => {
          next[kind]![column[record]!]! += mixed(whole, each[kind]![at]!);
        });
      });
    }
    colours = next;
  }
  return colours.map((own) =>
    Int32Array.from(own.keys()).sort((i, j) => own[i]! - own[j]! || i - j),
  );
}
