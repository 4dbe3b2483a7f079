/**
 * cannon-es: separating axes between convex polyhedra, and the contact points that its narrow phase then clips. Called
 * without the bodies and contact equations of its `Narrowphase`, which would only add to the time.
 */

import { Box, ConvexPolyhedron, Quaternion, Vec3 } from 'cannon-es';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { peerRunner, type Runner } from '../runner.ts';
import type { Workload } from '../../../verification/workloads/workload.ts';
import { hullFaces } from './hull-faces.ts';

export const version = 'cannon-es';

export function createRunner(call: string, workload: Workload): Runner {
  const { bodies, pairs } = workload;
  const polyhedra = workload.shapes.map(polyhedronOf);
  const shapes: ConvexPolyhedron[] = [];
  const positions: Vec3[] = [];
  const quaternions: Quaternion[] = [];
  const axis = new Vec3();
  const clips = call === 'cannon:clipAgainstHull';
  return peerRunner(workload, {
    tellsDistance: clips,
    addBody(body) {
      shapes.push(polyhedra[bodies.shapes[body]]);
      positions.push(new Vec3(...bodies.positions.subarray(3 * body, 3 * body + 3)));
      quaternions.push(new Quaternion(...bodies.quaternions.subarray(4 * body, 4 * body + 4)));
    },
    loop(count, { hit, distance }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        const overlaps = shapes[a].findSeparatingAxis(
          shapes[b],
          positions[a],
          quaternions[a],
          positions[b],
          quaternions[b],
          axis,
        );
        hit[i] = overlaps ? 1 : 0;
        if (clips) distance[i] = overlaps ? deepest(a, b) : NaN;
      }
    },
  });

  function deepest(a: number, b: number): number {
    const points: { depth: number }[] = [];
    shapes[a].clipAgainstHull(
      positions[a],
      quaternions[a],
      shapes[b],
      positions[b],
      quaternions[b],
      axis,
      -100,
      100,
      points as never,
    );
    let least = Infinity;
    for (const { depth } of points) if (depth < least) least = depth;
    return least === Infinity ? NaN : least;
  }
}

function polyhedronOf(shape: ShapeDescription): ConvexPolyhedron {
  if (shape.type === 'box') return new Box(new Vec3(...Array.from(shape.halfExtents))).convexPolyhedronRepresentation;
  if (shape.type !== 'hull') throw new Error(`no polyhedron for a ${shape.type}`);
  const { points } = shape;
  const vertices = Array.from(
    { length: points.length / 3 },
    (_, i) => new Vec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]),
  );
  return new ConvexPolyhedron({ vertices, faces: hullFaces(points) });
}
