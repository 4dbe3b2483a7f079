/**
 * Subdivision of a triangle mesh into four times as many triangles: Loop, "Smooth subdivision surfaces based on triangles"
 * (1987).
 */
import type { Triangles } from '../../src/bvh/build-tree.ts';

interface Edge {
  a: number;
  b: number;
  /** The vertices across the edge, one per triangle that has it. */
  across: number[];
  /** The vertex in its middle. */
  middle: number;
}

/** Numbers of a mesh's vertices are below this. */
const VERTICES = 2 ** 26;

export function subdivide({ positions, indices }: Triangles): Triangles {
  const vertexCount = positions.length / 3;
  const edges = new Map<number, Edge>();
  const edgeOf = (a: number, b: number): Edge => {
    const key = Math.min(a, b) * VERTICES + Math.max(a, b);
    const edge = edges.get(key) ?? { a, b, across: [], middle: vertexCount + edges.size };
    edges.set(key, edge);
    return edge;
  };
  const split: number[] = [];
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = indices.subarray(at, at + 3);
    const [ab, bc, ca] = [edgeOf(a, b), edgeOf(b, c), edgeOf(c, a)];
    ab.across.push(c);
    bc.across.push(a);
    ca.across.push(b);
    split.push(a, ab.middle, ca.middle, ab.middle, b, bc.middle, ca.middle, bc.middle, c);
    split.push(ab.middle, bc.middle, ca.middle);
  }
  const moved = new Float64Array(3 * (vertexCount + edges.size));
  moveVertices(positions, [...edges.values()], moved);
  for (const { a, b, across, middle } of edges.values()) {
    const isInside = across.length === 2;
    for (let k = 0; k < 3; k++) {
      const ends = positions[3 * a + k] + positions[3 * b + k];
      const sides = isInside ? positions[3 * across[0] + k] + positions[3 * across[1] + k] : 0;
      moved[3 * middle + k] = isInside ? (3 * ends + sides) / 8 : ends / 2;
    }
  }
  return { positions: moved.map(Math.fround), indices: Uint32Array.from(split) };
}

/** The new places of the old vertices. Those at the border follow its edges alone. */
function moveVertices(positions: Float64Array, edges: readonly Edge[], to: Float64Array): void {
  const neighbours = Array.from({ length: positions.length / 3 }, (): number[] => []);
  const atBorder = Array.from({ length: positions.length / 3 }, (): number[] => []);
  for (const { a, b, across } of edges) {
    const lists = across.length === 2 ? [neighbours] : [neighbours, atBorder];
    for (const list of lists) {
      list[a].push(b);
      list[b].push(a);
    }
  }
  for (const [vertex, border] of atBorder.entries()) {
    const around = border.length > 0 ? border : neighbours[vertex];
    const share = border.length > 0 ? (border.length === 2 ? 1 / 8 : 0) : shareOf(around.length);
    for (let k = 0; k < 3; k++) {
      const sum = around.reduce((total, other) => total + positions[3 * other + k], 0);
      to[3 * vertex + k] = (1 - around.length * share) * positions[3 * vertex + k] + share * sum;
    }
  }
}

/** The weight of each of so many neighbours. */
function shareOf(count: number): number {
  if (count === 0) return 0;
  const cosine = 3 / 8 + Math.cos((2 * Math.PI) / count) / 4;
  return (5 / 8 - cosine * cosine) / count;
}
