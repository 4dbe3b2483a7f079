/**
 * Rapier: when two moving shapes meet. The documented `Shape.castShape` copies shapes, poses and velocities into
 * WebAssembly at every call and frees them after it; `RawShape.castShape` takes what `intoRaw` made once. Either makes
 * and frees a hit. With `stopAtPenetration` pairs that overlap as the motion begins meet at 0 whichever way they go.
 */

import { RotationOps, ShapeCastHit, Vector3, VectorOps, type Quaternion, type Shape } from '@dimforge/rapier3d-compat';
import type { PeerLoop } from '../runner.ts';
import type { PlacingLoop } from './arrays.ts';
import type { MovingWorkload } from '../../../verification/workloads/workload.ts';
import { quaternionAt, rapierShape, vectorAt } from './rapier-shapes.ts';

/** Pairs meet where they touch. */
const TARGET_DISTANCE = 0;

/** Numbers of a raw hit, of which the first is the time. */
const HIT_NUMBERS = 13;

export function castLoop({ bodies, pairs, duration, shapes: descriptions }: MovingWorkload): PlacingLoop {
  const known = descriptions.map(rapierShape);
  const shapes: Shape[] = [];
  const positions: Vector3[] = [];
  const rotations: Quaternion[] = [];
  const velocities: Vector3[] = [];
  const [witness1, witness2, normal1, normal2] = [0, 0, 0, 0].map(() => new Vector3(0, 0, 0));
  const target = new ShapeCastHit(0, witness1, witness2, normal1, normal2);
  const setBody = (slot: number, body: number): void => {
    shapes[slot] = known[bodies.shapes[body]];
    positions[slot] = vectorAt(bodies.positions, body);
    rotations[slot] = quaternionAt(bodies.quaternions, body);
    velocities[slot] = vectorAt(bodies.linearVelocities, body);
  };
  return {
    tellsDistance: false,
    tellsTime: true,
    addBody: (body) => setBody(shapes.length, body),
    setBody,
    loop(count, { hit, time }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        const found = shapes[a].castShape(
          positions[a],
          rotations[a],
          velocities[a],
          shapes[b],
          positions[b],
          rotations[b],
          velocities[b],
          TARGET_DISTANCE,
          duration,
          true,
          target,
        );
        hit[i] = found === null ? 0 : 1;
        time[i] = found === null ? NaN : found.time_of_impact;
      }
    },
  };
}

export function rawCastLoop({ bodies, pairs, duration, shapes: descriptions }: MovingWorkload): PeerLoop {
  const known = descriptions.map((shape) => rapierShape(shape).intoRaw());
  const shapes: (typeof known)[number][] = [];
  const positions: ReturnType<typeof VectorOps.intoRaw>[] = [];
  const rotations: ReturnType<typeof RotationOps.intoRaw>[] = [];
  const velocities: ReturnType<typeof VectorOps.intoRaw>[] = [];
  const numbers = new Float32Array(HIT_NUMBERS);
  return {
    tellsDistance: false,
    tellsTime: true,
    addBody(body) {
      shapes.push(known[bodies.shapes[body]]);
      positions.push(VectorOps.intoRaw(vectorAt(bodies.positions, body)));
      rotations.push(RotationOps.intoRaw(quaternionAt(bodies.quaternions, body)));
      velocities.push(VectorOps.intoRaw(vectorAt(bodies.linearVelocities, body)));
    },
    loop(count, { hit, time }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        const found = shapes[a].castShape(
          positions[a],
          rotations[a],
          velocities[a],
          shapes[b],
          positions[b],
          rotations[b],
          velocities[b],
          TARGET_DISTANCE,
          duration,
          true,
        );
        hit[i] = found ? 1 : 0;
        time[i] = NaN;
        if (!found) continue;
        found.getComponents(numbers);
        time[i] = numbers[0];
        found.free();
      }
    },
  };
}
