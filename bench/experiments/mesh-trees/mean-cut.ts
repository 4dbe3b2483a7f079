/**
 * The cut of the OBBTree paper (Gottschalk, Lin, Manocha, 1996), beside the one of src/bvh/cut-parts.ts: triangles are cut at
 * the mean of their centres along the longest axis of their box, at the median if that leaves a side empty.
 */
import type { Triangles } from '../../../src/bvh/build-tree.ts';
import type { Topology } from '../../../src/bvh/part-tree.ts';
import { addMoments, clearMoments, createMoments, principalAxes } from '../../../src/bvh/principal-axes.ts';

export function cutAtMeans({ positions, indices }: Triangles): Topology {
  const corners = Float32Array.from({ length: 3 * indices.length }, (_, i) => {
    return positions[3 * indices[Math.floor(i / 3)] + (i % 3)];
  });
  const moments = createMoments();
  const axes = new Float64Array(9);
  const links = new Int32Array((2 * indices.length) / 3 - 1);
  let count = 1;
  let deepest = 0;

  const cut = (triangles: readonly number[], node: number, depth: number): void => {
    if (triangles.length === 1) {
      links[node] = -1 - triangles[0];
      deepest = Math.max(deepest, depth);
      return;
    }
    clearMoments(moments, corners, triangles[0]);
    for (const triangle of triangles) addMoments(corners, triangle, triangle + 1, moments);
    principalAxes(moments, axes);
    const along = (at: number, axis: number): number =>
      corners[at] * axes[3 * axis] + corners[at + 1] * axes[3 * axis + 1] + corners[at + 2] * axes[3 * axis + 2];
    const extents = [0, 1, 2].map((axis) => {
      const places = triangles.flatMap((t) => [along(9 * t, axis), along(9 * t + 3, axis), along(9 * t + 6, axis)]);
      return places.reduce((a, b) => Math.max(a, b)) - places.reduce((a, b) => Math.min(a, b));
    });
    const longest = extents.indexOf(Math.max(...extents));
    const keys = new Map(
      triangles.map((t) => [t, along(9 * t, longest) + along(9 * t + 3, longest) + along(9 * t + 6, longest)]),
    );
    const mean = triangles.reduce((sum, t) => sum + keys.get(t)!, 0) / triangles.length;
    let left = triangles.filter((t) => keys.get(t)! < mean);
    let right = triangles.filter((t) => keys.get(t)! >= mean);
    if (left.length === 0 || right.length === 0) {
      const sorted = [...triangles].sort((s, t) => keys.get(s)! - keys.get(t)!);
      left = sorted.slice(0, sorted.length >> 1);
      right = sorted.slice(sorted.length >> 1);
    }
    const child = count;
    links[node] = child;
    count += 2;
    cut(left, child, depth + 1);
    cut(right, child + 1, depth + 1);
  };
  cut(
    Array.from({ length: indices.length / 3 }, (_, t) => t),
    0,
    1,
  );
  return { links, depth: deepest };
}
