/** What the CPU reference knows of the pairs of a workload, in both dimensions, at rest and in motion. */

import { contact, createShape, impact, planar, Status } from '../../src/cpu.ts';
import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { AnyBodies, BodyMotion } from '../../src/records/bodies.ts';
import type { CaseWorkload } from './case-workload.ts';

export interface PairJudge {
  /** Signed distance at a time; NaN where the reference has none. */
  distanceOf(pair: number, time: number): number;
  /** When the pair comes within `margin`; Infinity: never. */
  timeOf(pair: number, margin: number): number;
  /** max(sum of the bounding radii, distance of the bodies): what errors are shares of. */
  sizeOf(pair: number): number;
}

/** `bodies`: the workload's, or where they have moved to. */
export function makeJudge(
  { dimension, shapes: descriptions, pairs, motion }: CaseWorkload,
  bodies: AnyBodies,
): PairJudge {
  const { positions, scales } = bodies;
  const vector = (of: Float32Array | Float64Array, body: number): number[] =>
    Array.from(of.subarray(dimension * body, dimension * (body + 1)));
  const linearOf = (body: number): number[] => vector(motion!.linear, body);
  const placeOf = (body: number, time: number) => ({
    position: vector(positions, body).map((x, k) => (time === 0 ? x : x + time * linearOf(body)[k])),
    scale: scales?.[body] ?? 1,
  });
  const relate = dimension === 2 ? relatePlanar() : relateSpatial();
  const of = (pair: number): [number, number] => [pairs[2 * pair], pairs[2 * pair + 1]];
  return {
    distanceOf: (pair, time) => {
      const { status, distance } = relate.contactOf(...of(pair), time);
      return status <= Status.Overlapping ? distance : NaN;
    },
    timeOf: (pair, margin) => relate.timeOf(...of(pair), margin),
    sizeOf(pair) {
      const [a, b] = of(pair);
      const start = placeOf(a, 0).position;
      const apart = Math.hypot(...placeOf(b, 0).position.map((x, k) => x - start[k]));
      return Math.max(relate.radiusOf(a) + relate.radiusOf(b), apart);
    },
  };

  function relatePlanar() {
    const shapes = descriptions.map((description) => planar.createShape(description as PlanarConvexDescription));
    const shapeOf = (body: number) => shapes[bodies.shapes[body]];
    const { angles } = bodies as { angles: Float32Array };
    const poseOf = (body: number, time: number) => ({
      ...placeOf(body, time),
      angle: angles[body] + time * (motion?.angular?.[body] ?? 0),
    });
    const movingOf = (body: number) => ({
      ...poseOf(body, 0),
      linearVelocity: linearOf(body),
      ...(motion!.angular && { angularVelocity: motion!.angular[body] }),
    });
    return {
      radiusOf: (body: number) => shapeOf(body).boundingRadius * placeOf(body, 0).scale,
      contactOf: (a: number, b: number, time: number) =>
        planar.contact(shapeOf(a), poseOf(a, time), shapeOf(b), poseOf(b, time), { margin: Infinity }),
      timeOf: (a: number, b: number, margin: number) =>
        planar.impact(shapeOf(a), movingOf(a), shapeOf(b), movingOf(b), { duration: motion!.duration, margin }).time,
    };
  }

  function relateSpatial() {
    const shapes = descriptions.map((description) => createShape(description as ShapeDescription));
    const shapeOf = (body: number) => shapes[bodies.shapes[body]];
    const { quaternions } = bodies as { quaternions: Float32Array };
    const poseOf = (body: number, time: number) => ({
      ...placeOf(body, time),
      quaternion: turned(Array.from(quaternions.subarray(4 * body, 4 * body + 4)), angularOf(motion, body), time),
    });
    const movingOf = (body: number) => ({
      ...poseOf(body, 0),
      linearVelocity: linearOf(body),
      angularVelocity: angularOf(motion, body),
    });
    return {
      radiusOf: (body: number) => shapeOf(body).boundingRadius * placeOf(body, 0).scale,
      contactOf: (a: number, b: number, time: number) =>
        contact(shapeOf(a), poseOf(a, time), shapeOf(b), poseOf(b, time), { margin: Infinity }),
      timeOf: (a: number, b: number, margin: number) =>
        impact(shapeOf(a), movingOf(a), shapeOf(b), movingOf(b), { duration: motion!.duration, margin }).time,
    };
  }
}

function angularOf(motion: BodyMotion | null, body: number): number[] {
  return motion?.angular ? Array.from(motion.angular.subarray(3 * body, 3 * body + 3)) : [0, 0, 0];
}

/** After turning for so long. */
function turned([x, y, z, w]: number[], angular: number[], time: number): number[] {
  const speed = Math.hypot(...angular);
  if (speed * time === 0) return [x, y, z, w];
  const half = 0.5 * speed * time;
  const [ax, ay, az] = angular.map((component) => (component / speed) * Math.sin(half));
  return timesQuaternion([ax, ay, az, Math.cos(half)], [x, y, z, w]);
}

/** The rotation `second`, then `first`. */
export function timesQuaternion([ax, ay, az, aw]: number[], [x, y, z, w]: number[]): number[] {
  return [
    aw * x + ax * w + ay * z - az * y,
    aw * y + ay * w + az * x - ax * z,
    aw * z + az * w + ax * y - ay * x,
    aw * w - ax * x - ay * y - az * z,
  ];
}
