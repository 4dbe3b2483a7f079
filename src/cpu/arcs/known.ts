/** The vertices of a body that a search has met, in the frame of the other body. */
import { type Mat3, type Vec3, copy, scale, transform, transformBack, vec3 } from '../math.ts';
import type { Core, Pair } from '../pair.ts';
import { support, vertex } from '../support.ts';

export interface KnownVertices {
  core: Core | undefined;
  /** Takes vectors from the body's frame to the other one's, where its origin is at `origin`. */
  rotation: Mat3;
  origin: Vec3;
  count: number;
  numbers: Uint32Array;
  /** x, y, z of each. */
  positions: Float64Array;
}

export function createKnown(): KnownVertices {
  return {
    core: undefined,
    rotation: new Float64Array(9),
    origin: vec3(),
    count: 0,
    numbers: new Uint32Array(64),
    positions: new Float64Array(192),
  };
}

/** Starts the lists of a pair's two bodies. */
export function placeBodies(pair: Pair, verticesA: KnownVertices, verticesB: KnownVertices): void {
  const { rotation, translation } = pair;
  verticesA.core = pair.coreA;
  verticesB.core = pair.coreB;
  verticesA.count = verticesB.count = 0;
  verticesB.rotation.set(rotation);
  copy(translation, verticesB.origin);
  for (let i = 0; i < 9; i++) verticesA.rotation[i] = rotation[3 * (i % 3) + Math.floor(i / 3)];
  scale(transformBack(rotation, translation, verticesA.origin), -1, verticesA.origin);
}

const corner = vec3();

/** Adds a vertex. Returns its place. */
export function addKnown(known: KnownVertices, number: number): number {
  const at = known.count++;
  if (at === known.numbers.length) {
    const { numbers, positions } = known;
    known.numbers = new Uint32Array(2 * at);
    known.numbers.set(numbers);
    known.positions = new Float64Array(6 * at);
    known.positions.set(positions);
  }
  const { origin, numbers, positions } = known;
  const { x, y, z } = transform(known.rotation, vertex(known.core!, number, corner), corner);
  numbers[at] = number;
  positions[3 * at] = x + origin.x;
  positions[3 * at + 1] = y + origin.y;
  positions[3 * at + 2] = z + origin.z;
  return at;
}

/** Adds the lowest vertex along a direction of the other frame. Returns its place. */
export function addLowest(known: KnownVertices, x: number, y: number, z: number): number {
  const m = known.rotation;
  const lowest = support(
    known.core!,
    -(m[0] * x + m[1] * y + m[2] * z),
    -(m[3] * x + m[4] * y + m[5] * z),
    -(m[6] * x + m[7] * y + m[8] * z),
  );
  return addKnown(known, lowest);
}
