/**
 * Rapier's answers: `Shape.intersectsShape` and `Shape.contactShape` as the package documents them, on raw shapes that
 * are made once. Raw vectors, rotations and shapes live in WebAssembly until they are freed.
 */

import { RotationOps, ShapeContact, Vector3, VectorOps } from '@dimforge/rapier3d-compat';
import type { Family } from '../../../verification/families/families.ts';
import { quaternionAt, rapierShape, startRapier, vectorAt } from '../../throughput/peers/rapier-shapes.ts';
import type { Answers, Peer } from './peer.ts';

/** Farther than any pair is apart. */
const FAR = 1000;

export async function openRapier(): Promise<Peer> {
  return {
    name: 'rapier',
    title: 'Rapier',
    version: await startRapier(),
    scope: {
      types: ['sphere', 'box', 'capsule', 'triangle', 'hull', 'cylinder', 'cone', 'halfspace'],
      rounded: ['box', 'triangle', 'hull'],
      without: [],
      hasOffset: false,
    },
    // Its GJK holds what is 10 ulp of 1 from a simplex for inside of it, and ends at the root of that as a share of the
    // gap.
    overlapSlack: { absolute: 5e-6, relative: 5e-6, ofDistance: 0 },
    distanceSlack: { absolute: 1e-5, relative: 1e-5, ofDistance: 1.1e-3 },
    notes: [
      'Overlap is `Shape.intersectsShape`, gaps and depths are `Shape.contactShape` with a prediction beyond any gap.',
      'Of boxes, triangles and hulls half are rounded. Half-spaces go through their origin: Rapier has no ' +
        'others. Cylinders and cones have a',
      'height and a radius. There is no ellipsoid.',
    ],
    answer,
  };
}

function answer({ shapes, bodies, pairs }: Family): Answers {
  const known = shapes.map((shape) => rapierShape(shape).intoRaw());
  const count = pairs.length / 2;
  const overlaps = new Uint8Array(count);
  const distance = new Float64Array(count);
  const [point1, point2, normal1, normal2] = [0, 0, 0, 0].map(() => new Vector3(0, 0, 0));
  const contact = new ShapeContact(0, point1, point2, normal1, normal2);
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const [a, b] = [pairs[2 * i], pairs[2 * i + 1]];
    const [shapeA, shapeB] = [known[bodies.shapes[a]], known[bodies.shapes[b]]];
    const [positionA, positionB] = [a, b].map((body) =>
      VectorOps.intoRaw(vectorAt(bodies.positions as Float32Array, body)),
    );
    const [rotationA, rotationB] = [a, b].map((body) => RotationOps.intoRaw(quaternionAt(bodies.quaternions, body)));
    overlaps[i] = shapeA.intersectsShape(positionA, rotationA, shapeB, positionB, rotationB) ? 1 : 0;
    const raw = shapeA.contactShape(positionA, rotationA, shapeB, positionB, rotationB, FAR);
    // Frees the raw contact.
    distance[i] = raw ? ShapeContact.fromBuffer(raw, contact).distance : NaN;
    for (const used of [positionA, positionB, rotationA, rotationB]) used.free();
  }
  const milliseconds = performance.now() - start;
  for (const shape of known) shape.free();
  return { overlaps, distance, milliseconds };
}
