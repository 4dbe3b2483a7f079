/** Where the work lists of a query or a batch are: all of them share one buffer (shaders/kernels/work-lists.wgsl). */
import { CLASS_COUNT, LIST_HEADER } from '../generated/constants.ts';
import type { Step, WorkList } from './steps.ts';

/** Places in the buffer, in words. */
export interface ListPlace {
  /** Of the number of pairs. */
  countWord: number;
  firstEntry: number;
}

export interface WorkListPlaces {
  of(list: WorkList): ListPlace;
  /** Whether a step reads the list. Nothing is appended to others. */
  has(list: WorkList): boolean;
  /** Bytes of the buffer; 0 without lists. */
  bytes: number;
}

/** Pairs are appended to other lists than `classes`, whose header comes first. */
const FIRST_COUNT = CLASS_COUNT + 1;

/**
 * Lists that steps need at the same time have room for all pairs each; others share it. `steps` are those of all
 * submissions, since lists stay where they are.
 */
export function placeWorkLists(steps: readonly Step[], pairCapacity: number): WorkListPlaces {
  const uses = new Map<WorkList, { first: number; last: number; classCount: number }>();
  steps.forEach((step, i) => {
    if (step.step === 'kernel' && step.reads) {
      const use = uses.get(step.reads);
      if (!use) throw new Error(`no step before ${step.variant.kernel} writes the list ${step.reads}`);
      use.last = i;
    }
    for (const list of writtenBy(step)) {
      if (!uses.has(list))
        uses.set(list, { first: i, last: -1, classCount: step.step === 'list' ? step.classCount : 1 });
    }
  });
  const places = new Map<WorkList, ListPlace>();
  /** The step that last uses each room for all pairs. */
  const rooms: number[] = [];
  for (const [list, { first, last, classCount }] of uses) {
    if (last < 0) continue;
    // A kernel can't append to the list that it reads.
    const free = rooms.findIndex((end) => end < first);
    const room = free < 0 ? rooms.length : free;
    rooms[room] = last;
    const countWord = list === 'classes' ? classCount : FIRST_COUNT + places.size;
    if (countWord >= LIST_HEADER) throw new Error(`there are more than ${LIST_HEADER - FIRST_COUNT} work lists`);
    places.set(list, { countWord, firstEntry: LIST_HEADER + room * pairCapacity });
  }
  return {
    of: (list) => places.get(list)!,
    has: (list) => places.has(list),
    bytes: rooms.length === 0 ? 0 : 4 * (LIST_HEADER + rooms.length * pairCapacity),
  };
}

function writtenBy(step: Step): readonly WorkList[] {
  if (step.step === 'list') return ['classes'];
  return (step.appends ?? []).filter((list) => list !== undefined);
}
