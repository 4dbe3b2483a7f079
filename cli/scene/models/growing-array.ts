/** A typed array that grows, for counts that are known only at the end of a file. */

import { allocate, type ArrayType, type Numbers } from '../../../src/util/arrays.ts';
import { refuseAsTooLarge } from './refusal.ts';

export interface GrowingArray<Values extends Numbers> {
  length: number;
  push(value: number): void;
  /** The values so far: a view, valid until the next `push`. */
  values(): Values;
}

/** `noun` names the values in errors; there may be at most `most`. */
export function createGrowingArray<Values extends Numbers>(
  noun: string,
  Type: ArrayType<Values>,
  most: number,
): GrowingArray<Values> {
  let array = new Type(64);
  const grown: GrowingArray<Values> = {
    length: 0,
    push(value) {
      if (grown.length === array.length) {
        if (grown.length >= most) refuseAsTooLarge(`the file has more than ${most} ${noun}, expected at most that`);
        const larger = allocate(noun, Type, Math.min(most, 2 * array.length));
        larger.set(array);
        array = larger;
      }
      array[grown.length++] = value;
    },
    values: () => array.subarray(0, grown.length) as Values,
  };
  return grown;
}
