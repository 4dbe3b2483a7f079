/** How far apart the bodies of pairs are, each pair at a time of its own. */
import type { Contacts, PlanarContacts, PlanarTester, Tester } from '../../src/api/types.ts';

interface Moving {
  shapes: Uint32Array;
  positions: Float32Array;
  scales?: Float32Array;
  linearVelocities: Float32Array;
  angularVelocities: Float32Array;
}

interface Moving3 extends Moving {
  quaternions: Float32Array;
}

interface Moving2 extends Moving {
  angles: Float32Array;
}

/** Farther pairs are this far apart. */
const MARGIN = 0.05;

/** Signed distances of the bodies of each pair in 3-D at its time, up to MARGIN. Times beyond the duration count as that. */
export async function distancesAt(
  tester: Tester,
  bodies: Moving3,
  pairs: Uint32Array,
  times: Float32Array,
  duration: number,
): Promise<Float32Array> {
  const quaternions = new Float32Array(4 * pairs.length);
  const placed = placePairs(bodies, pairs, times, duration, 3, (body, seconds, slot) => {
    const spin = bodies.angularVelocities.subarray(3 * body, 3 * body + 3);
    quaternions.set(turned(bodies.quaternions.subarray(4 * body, 4 * body + 4), spin, seconds), 4 * slot);
  });
  const found: Contacts = await tester.contacts({ ...placed, quaternions }, ownPairs(pairs), { margin: MARGIN });
  return found.distance;
}

/** The same in 2-D. */
export async function planarDistancesAt(
  tester: PlanarTester,
  bodies: Moving2,
  pairs: Uint32Array,
  times: Float32Array,
  duration: number,
): Promise<Float32Array> {
  const angles = new Float32Array(pairs.length);
  const placed = placePairs(bodies, pairs, times, duration, 2, (body, seconds, slot) => {
    angles[slot] = bodies.angles[body] + seconds * bodies.angularVelocities[body];
  });
  const found: PlanarContacts = await tester.contacts({ ...placed, angles }, ownPairs(pairs), { margin: MARGIN });
  return found.distance;
}

/** Pairs of bodies that are in no other pair. */
const ownPairs = (pairs: Uint32Array): Uint32Array => Uint32Array.from(pairs, (_, slot) => slot);

function placePairs(
  { shapes, positions, scales, linearVelocities }: Moving,
  pairs: Uint32Array,
  times: Float32Array,
  duration: number,
  axes: 2 | 3,
  turn: (body: number, seconds: number, slot: number) => void,
) {
  const placed = new Float32Array(axes * pairs.length);
  pairs.forEach((body, slot) => {
    const seconds = Math.min(Math.max(times[slot >> 1], 0), duration);
    for (let k = 0; k < axes; k++)
      placed[axes * slot + k] = positions[axes * body + k] + seconds * linearVelocities[axes * body + k];
    turn(body, seconds, slot);
  });
  return {
    shapes: Uint32Array.from(pairs, (body) => shapes[body]),
    positions: placed,
    ...(scales && { scales: Float32Array.from(pairs, (body) => scales[body]) }),
  };
}

/** A quaternion after a rotation in world axes. */
function turned([a, b, c, d]: Float32Array, spin: Float32Array, seconds: number): number[] {
  const speed = Math.hypot(...spin);
  const half = (speed * seconds) / 2;
  const share = speed > 0 ? Math.sin(half) / speed : 0;
  const [x, y, z] = spin.map((component) => component * share);
  const w = Math.cos(half);
  return [
    w * a + x * d + y * c - z * b,
    w * b + y * d + z * a - x * c,
    w * c + z * d + x * b - y * a,
    w * d - x * a - y * b - z * c,
  ];
}
