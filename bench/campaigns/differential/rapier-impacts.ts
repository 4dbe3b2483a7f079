/** Rapier's times of impact: `Shape.castShape` as the package documents it. */

import type { MovingFamily } from '../../../verification/families/moving-family.ts';
import { castLoop } from '../../throughput/peers/rapier-cast.ts';
import type { MovingPeer, Times } from './moving-peer.ts';
import { openRapier } from './rapier.ts';

export async function openMovingRapier(): Promise<MovingPeer> {
  const { name, title, version, scope } = await openRapier();
  return {
    name,
    title,
    version,
    scope,
    // Positions in the other body's frame and the way along the ray are of single precision: a hundred roundings of the
    // size.
    slack: { absolute: 1e-5, relative: 1e-5, ofDistance: 0 },
    notes: [
      'Times are `Shape.castShape` with a target distance of 0, the duration as the greatest time, and ' +
        '`stopAtPenetration`, so that bodies that',
      'overlap as the motion begins meet at 0 whichever way they go. Of boxes, triangles and hulls half are ' +
        'rounded. Half-spaces go through their origin:',
      'Rapier has no others. Cylinders and cones have a height and a radius. There is no ellipsoid.',
    ],
    answer,
  };
}

function answer(family: MovingFamily): Times {
  const { bodies, pairs, shapes, name, duration } = family;
  const { addBody, loop } = castLoop({
    name,
    dimension: 3,
    shapes,
    pairs,
    duration,
    bodies: { ...bodies, positions: bodies.positions as Float32Array },
  });
  for (let body = 0; body < bodies.shapes.length; body++) addBody(body);
  const count = pairs.length / 2;
  const answers = { hit: new Uint8Array(count), distance: new Float64Array(count), time: new Float64Array(count) };
  const start = performance.now();
  loop(count, answers);
  const milliseconds = performance.now() - start;
  return { time: answers.time.map((time, pair) => (answers.hit[pair] === 1 ? time : Infinity)), milliseconds };
}
