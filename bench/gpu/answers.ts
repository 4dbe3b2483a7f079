/** Answers of a GPU held against the CPU reference in double precision, before anything is timed. */

import { contact, createShape } from '../../src/cpu.ts';
import { Status } from '../../src/api/types.ts';
import { BANDS, compareAnswers } from '../throughput/compare.ts';
import type { Query, Truth } from '../throughput/protocol.ts';
import type { Workload } from '../throughput/workloads/workload.ts';
import type { Records } from './records.ts';

/** Pairs compared, spread over the workload. */
const COMPARED = 2000;

export interface Comparison {
  /** Pairs with something to compare. */
  compared: number;
  wrongFlags: number;
  wrongDistances: number;
  /** Error of the distances, as a share of the size; null if the query gives no distances. */
  largestError: number | null;
  /** Among all pairs of the workload; exempt from the comparison. */
  notConverged: number;
  /** Among all pairs: statuses that valid input can't have. */
  withoutAnswer: number;
}

export function isWrong({ wrongFlags, wrongDistances, withoutAnswer }: Comparison): boolean {
  return wrongFlags + wrongDistances + withoutAnswer > 0;
}

/** What is known of some pairs. */
export interface KnownPairs extends Truth {
  indices: Uint32Array;
}

/** `bodies`: the workload's, or where they have moved to. */
export function knownPairs(
  { shapes: descriptions, pairs }: Workload,
  bodies: Workload['bodies'],
  pairCount: number,
): KnownPairs {
  const shapes = descriptions.map((description) => createShape(description));
  const count = Math.min(COMPARED, pairCount);
  const indices = Uint32Array.from({ length: count }, (_, i) => Math.floor((i * pairCount) / count));
  const distance = new Float64Array(count);
  const size = new Float64Array(count);
  const poseOf = (body: number) => ({
    position: bodies.positions.subarray(3 * body, 3 * body + 3),
    quaternion: bodies.quaternions.subarray(4 * body, 4 * body + 4),
  });
  indices.forEach((pair, i) => {
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    const [shapeA, shapeB] = [shapes[bodies.shapes[a]], shapes[bodies.shapes[b]]];
    const [poseA, poseB] = [poseOf(a), poseOf(b)];
    const { status, distance: found } = contact(shapeA, poseA, shapeB, poseB, { margin: Infinity });
    distance[i] = status <= Status.Overlapping ? found : NaN;
    const apart = Math.hypot(...poseA.position.map((x, k) => poseB.position[k] - x));
    size[i] = Math.max(shapeA.boundingRadius + shapeB.boundingRadius, apart);
  });
  return { indices, distance, size };
}

export function compareRecords(query: Query, { status, hit, distance }: Records, known: KnownPairs): Comparison {
  const due = [...known.indices.keys()].filter((i) => status[known.indices[i]] !== Status.NotConverged);
  const pairs = due.map((i) => known.indices[i]);
  const { compared, wrongFlags, wrongDistances, largestError } = compareAnswers(
    query,
    {
      hit: Uint8Array.from(pairs, (pair) => hit[pair]),
      distance: distance && Float64Array.from(pairs, (pair) => distance[pair]),
    },
    { distance: Float64Array.from(due, (i) => known.distance[i]), size: Float64Array.from(due, (i) => known.size[i]) },
    BANDS.engine,
  );
  let notConverged = 0;
  let withoutAnswer = 0;
  for (const value of status) {
    if (value === Status.NotConverged) notConverged++;
    else if (value > Status.NotConverged) withoutAnswer++;
  }
  return { compared, wrongFlags, wrongDistances, largestError, notConverged, withoutAnswer };
}
