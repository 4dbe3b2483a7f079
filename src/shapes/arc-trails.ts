/**
 * The arcs of a Gauss map along few trails, so that a kernel that follows them loads each arc's second end only.
 *
 * The normals are the nodes of a graph, and the arcs its edges. With an extra edge between every two nodes of odd degree
 * the graph has a closed trail through all of its edges (Hierholzer 1873); where that takes an extra edge, the next
 * trail begins.
 */

export interface ArcTrails {
  /** The normal of each step. */
  normals: Uint32Array;
  /** The arc from the step before, or `NO_ARC` where a trail begins. */
  arcs: Uint32Array;
}

export const NO_ARC = 0xffff_ffff;

/** `arcs` has two numbers of normals per arc. */
export function makeTrails(arcs: ArrayLike<number>): ArcTrails {
  const ends = Array.from(arcs);
  const count = ends.reduce((most, normal) => Math.max(most, normal + 1), 0);
  const degrees = new Uint32Array(count);
  for (const normal of ends) degrees[normal]++;
  for (let normal = 0; normal < count; normal++) if (degrees[normal] % 2 === 1) ends.push(normal);
  const edgesAt = Array.from({ length: count }, (): number[] => []);
  ends.forEach((normal, i) => edgesAt[normal].push(i >> 1));

  const normals: number[] = [];
  const taken: number[] = [];
  const isUsed = new Uint8Array(ends.length / 2);
  for (let start = 0; start < count; start++) {
    if (edgesAt[start].every((edge) => isUsed[edge] === 1)) continue;
    // The steps of the closed trail come from the stack backwards, each with the edge to the one after it.
    const stack = [[start, NO_ARC]];
    let edgeToNext = NO_ARC;
    while (stack.length > 0) {
      const [normal, edge] = stack[stack.length - 1];
      const next = edgesAt[normal].pop();
      if (next === undefined) {
        normals.push(normal);
        taken.push(edgeToNext < arcs.length / 2 ? edgeToNext : NO_ARC);
        edgeToNext = edge;
        stack.pop();
      } else if (isUsed[next] === 0) {
        isUsed[next] = 1;
        stack.push([ends[2 * next] === normal ? ends[2 * next + 1] : ends[2 * next], next]);
      }
    }
  }
  return { normals: Uint32Array.from(normals), arcs: Uint32Array.from(taken) };
}
