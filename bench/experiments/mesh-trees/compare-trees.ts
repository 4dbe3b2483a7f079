/** Kinds of trees beside each other on the same poses of a mesh against itself. */
import { findPartPairs, firstHit } from '../../../src/bvh/find-part-pairs.ts';
import { createNearest } from '../../../src/bvh/nearest-parts.ts';
import { finish } from '../../../src/util/turns.ts';
import { createWalk } from '../../../src/bvh/walk.ts';
import {
  findTrianglePairs,
  meshesIntersect,
  nearestTriangles,
  type TreeMesh,
} from '../../../src/cpu/parts/mesh-pairs.ts';
import { createPlacedTriangles, placeMeshes, placeTriangles } from '../../../src/cpu/parts/placed-triangles.ts';
import { trianglesIntersect } from '../../../src/cpu/triangle-intersection.ts';
import { digits } from '../../markdown.ts';
import { alternate } from './clock.ts';
import type { Pose } from './poses.ts';

export const TREES_HEAD = ['model', 'poses that intersect', 'tree', 'N_b', 'N_n', 'C_b, ns', 'C_n, ns', 'µs per pose'];

export interface NamedMesh extends TreeMesh {
  readonly kind: string;
}

const walk = createWalk();
const placed = createPlacedTriangles();
const nearest = createNearest();

export function intersects(mesh: TreeMesh, pose: Pose): boolean {
  return finish(meshesIntersect(mesh, mesh, pose, walk));
}

export function distanceOf(mesh: TreeMesh, pose: Pose): number {
  finish(nearestTriangles(mesh, mesh, pose, { limit: Infinity, slack: 0 }, nearest, walk));
  return nearest.distance;
}

/** One number per pair, in ascending order. */
function pairsOf(mesh: TreeMesh, pose: Pose): Float64Array {
  const most = mesh.indices.length / 3;
  const pairs: number[] = [];
  finish(findTrianglePairs(mesh, mesh, pose, (a, b) => void pairs.push(a * most + b), walk));
  return Float64Array.from(pairs).sort();
}

/** Rows: whether the meshes intersect. */
export function intersectionRows(meshes: readonly NamedMesh[], poses: readonly Pose[], rounds: number): string[][] {
  return rowsOf(meshes, poses, intersects, rounds, (mesh) => triangleTime(mesh, poses, true, rounds));
}

/** Rows: all pairs of triangles that intersect. */
export function pairRows(meshes: readonly NamedMesh[], poses: readonly Pose[], rounds: number): string[][] {
  return rowsOf(meshes, poses, pairsOf, rounds, (mesh) => triangleTime(mesh, poses, false, rounds));
}

/** Rows: the distance. What the tests of triangles take is not measured apart. */
export function distanceRows(meshes: readonly NamedMesh[], poses: readonly Pose[], rounds: number): string[][] {
  return rowsOf(meshes, poses, distanceOf, rounds).map((row) => row.filter((_cell, k) => k !== 3 && k !== 4));
}

/** Throws if the answers of trees differ. Otherwise a row per tree, from its kind on. */
function rowsOf(
  meshes: readonly NamedMesh[],
  poses: readonly Pose[],
  ask: (mesh: TreeMesh, pose: Pose) => boolean | number | Float64Array,
  rounds: number,
  timeOfTriangles: (mesh: TreeMesh) => number = () => NaN,
): string[][] {
  const answers = meshes.map((mesh) => poses.map((pose) => ask(mesh, pose)).join());
  if (new Set(answers).size > 1) throw new Error(`trees give different answers to ${ask.name}`);
  const times = alternate(
    meshes.map((mesh) => () => poses.forEach((pose) => void ask(mesh, pose))),
    rounds,
    2,
  );
  return meshes.map((mesh, i) => {
    walk.boxTests = 0;
    walk.partTests = 0;
    for (const pose of poses) ask(mesh, pose);
    const time = 1e6 * times[i];
    const ofTriangles = timeOfTriangles(mesh);
    return [
      mesh.kind,
      digits(walk.boxTests / poses.length),
      digits(walk.partTests / poses.length),
      digits((time - ofTriangles) / walk.boxTests),
      digits(ofTriangles / walk.partTests),
      digits(time / 1000 / poses.length),
    ];
  });
}

/** Nanoseconds of the tests of triangles alone. `isFirst`: up to the first hit of each pose. */
function triangleTime(mesh: TreeMesh, poses: readonly Pose[], isFirst: boolean, rounds: number): number {
  const tests = poses.map((pose) => {
    const pairs: number[] = [];
    placeMeshes(mesh, mesh, pose, placed);
    const visit = (i: number, j: number): boolean => {
      pairs.push(i, j);
      placeTriangles(i, j, placed);
      return trianglesIntersect(placed.a, placed.b) && isFirst;
    };
    if (isFirst) finish(firstHit(mesh.tree, mesh.tree, pose, visit, walk));
    else finish(findPartPairs(mesh.tree, mesh.tree, pose, 0, visit, walk));
    return Int32Array.from(pairs);
  });
  const repeat = (): void => {
    poses.forEach((pose, p) => {
      placeMeshes(mesh, mesh, pose, placed);
      const pairs = tests[p];
      for (let k = 0; k < pairs.length; k += 2) {
        placeTriangles(pairs[k], pairs[k + 1], placed);
        trianglesIntersect(placed.a, placed.b);
      }
    });
  };
  return 1e6 * alternate([repeat], rounds, 2)[0];
}
