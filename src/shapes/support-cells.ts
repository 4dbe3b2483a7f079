/**
 * The vertices of a hull that can be its support, by direction. The faces of a cube around the origin are cut into
 * cells, and each cell lists every vertex that is farthest along some direction through it. A support is then the best
 * of a few vertices instead of all of them, for hulls of any size, and there is no path that could end in a local
 * maximum.
 *
 * A vertex p is the support along d where (p - q) · d >= 0 for all its neighbours q. On one face of the cube d is
 * linear in the face's coordinates u and v. So the set of these directions is a convex polygon, the projection of p's
 * normal cone: the face's square clipped by one line per neighbour (Sutherland and Hodgman 1974). The polygon's extent
 * in each row of cells gives the cells that it meets.
 *
 * Cells are numbered as by `cellOf` of shaders/shared/support.wgsl: by face, then row (v), then column (u). The face is
 * 2 axis + (1 where the direction is negative along its longest axis). u and v are the components along the two
 * following axes, divided by the absolute value of the longest one; they go from -1 to 1.
 */

/** Candidates of cell c are `candidates[start[c] .. start[c + 1]]`, ascending. */
export interface SupportCells {
  /** Cells along an edge of the cube. */
  resolution: number;
  start: Uint32Array;
  candidates: Uint32Array;
}

/** The cells of a shape without vertices to choose from. */
export const NO_CELLS: SupportCells = { resolution: 0, start: new Uint32Array(0), candidates: new Uint32Array(0) };

/**
 * Allowance for rounding of directions. Cells and cones are widened by this share, so that a direction that f32 puts
 * into the neighbouring cell still finds its support there.
 */
const SLACK = 1e-6;

/**
 * Most lines that cut one normal cone. With fewer, vertices with many neighbours become candidates in more cells than
 * necessary.
 */
const MOST_CUTS = 64;

/** One cell per face of the cube, with all vertices. */
export function allVertices(count: number): SupportCells {
  return {
    resolution: 1,
    start: Uint32Array.from({ length: 7 }, (_, face) => face * count),
    candidates: Uint32Array.from({ length: 6 * count }, (_, i) => i % count),
  };
}

/** The neighbours of vertex v on the surface of the hull are `list[start[v] .. start[v + 1]]`. */
export function makeSupportCells(
  vertices: ArrayLike<number>,
  neighbours: { start: Uint32Array; list: Uint32Array },
  resolution: number,
): SupportCells {
  const count = vertices.length / 3;
  const perFace = resolution * resolution;
  const lists = Array.from({ length: 6 * perFace }, () => new Array<number>());
  for (let vertex = 0; vertex < count; vertex++) {
    for (let face = 0; face < 6; face++) {
      const shadow = normalCone(vertices, neighbours, vertex, face);
      if (shadow.length > 0) markCells(shadow, resolution, (cell) => lists[face * perFace + cell].push(vertex));
    }
  }
  const start = new Uint32Array(6 * perFace + 1);
  lists.forEach((list, cell) => (start[cell + 1] = start[cell] + list.length));
  return { resolution, start, candidates: Uint32Array.from(lists.flat()) };
}

/**
 * u, v of the corners of the vertex's normal cone on a face of the cube; empty if they don't meet. Each cut uses the
 * neighbour that a corner violates most. After `MOST_CUTS` cuts the polygon is slightly larger than the cone. At the
 * apex of a cone over thousands of points, more cuts would remove next to nothing.
 */
export function normalCone(
  vertices: ArrayLike<number>,
  neighbours: { start: Uint32Array; list: Uint32Array },
  vertex: number,
  face: number,
): number[] {
  const axis = face >> 1;
  const sign = face & 1 ? -1 : 1;
  const [w, u, v] = [axis, (axis + 1) % 3, (axis + 2) % 3];
  const [pu, pv, pw] = [vertices[3 * vertex + u], vertices[3 * vertex + v], vertices[3 * vertex + w]];
  let polygon = [-1 - SLACK, -1 - SLACK, 1 + SLACK, -1 - SLACK, 1 + SLACK, 1 + SLACK, -1 - SLACK, 1 + SLACK];
  // The corners take turns, so that no side is cut finely while another hasn't been cut at all.
  for (let [cuts, uncut, corner] = [0, 0, 0]; uncut < polygon.length && cuts < MOST_CUTS;) {
    if (corner >= polygon.length) corner = 0;
    const [x, y] = [polygon[corner], polygon[corner + 1]];
    let [least, nearestA, nearestB, nearestC] = [0, 0, 0, 0];
    for (let i = neighbours.start[vertex]; i < neighbours.start[vertex + 1]; i++) {
      const q = 3 * neighbours.list[i];
      const a = pu - vertices[q + u];
      const b = pv - vertices[q + v];
      const along = pw - vertices[q + w];
      const c = sign * along + SLACK * Math.max(Math.abs(a), Math.abs(b), Math.abs(along));
      const height = a * x + b * y + c;
      if (height < least) [least, nearestA, nearestB, nearestC] = [height, a, b, c];
    }
    if (least === 0) {
      uncut += 2;
      corner += 2;
    } else {
      // The two corners that replace this one wait until the others have had their turn. If this is the first corner,
      // one of the two is at either end of the list.
      polygon = clip(polygon, nearestA, nearestB, nearestC);
      uncut = 0;
      cuts++;
      corner += corner === 0 ? 2 : 4;
    }
  }
  return polygon;
}

/** The part of a convex polygon where a x + b y + c >= 0. */
function clip(polygon: number[], a: number, b: number, c: number): number[] {
  const kept: number[] = [];
  const count = polygon.length;
  for (let i = 0; i < count; i += 2) {
    const [x, y] = [polygon[i], polygon[i + 1]];
    const [nextX, nextY] = [polygon[(i + 2) % count], polygon[(i + 3) % count]];
    const height = a * x + b * y + c;
    const nextHeight = a * nextX + b * nextY + c;
    if (height >= 0) kept.push(x, y);
    if (height >= 0 !== nextHeight >= 0) {
      const t = height / (height - nextHeight);
      kept.push(x + t * (nextX - x), y + t * (nextY - y));
    }
  }
  return kept;
}

/** Calls `mark` for each cell of a face that the convex polygon meets. */
function markCells(polygon: number[], resolution: number, mark: (cell: number) => void): void {
  const cellAt = (coordinate: number): number =>
    Math.min(Math.max(Math.floor((coordinate * 0.5 + 0.5) * resolution), 0), resolution - 1);
  const [low, high] = extent(polygon, 1);
  for (let row = cellAt(low - SLACK); row <= cellAt(high + SLACK); row++) {
    const bottom = (2 * row) / resolution - 1 - SLACK;
    const top = (2 * (row + 1)) / resolution - 1 + SLACK;
    const band = clip(clip(polygon, 0, 1, -bottom), 0, -1, top);
    if (band.length === 0) continue;
    const [left, right] = extent(band, 0);
    for (let column = cellAt(left - SLACK); column <= cellAt(right + SLACK); column++) mark(row * resolution + column);
  }
}

/** Least and greatest x (`axis` 0) or y (1) of a polygon's corners. */
function extent(polygon: number[], axis: 0 | 1): [number, number] {
  let [least, greatest] = [Infinity, -Infinity];
  for (let i = axis; i < polygon.length; i += 2) {
    least = Math.min(least, polygon[i]);
    greatest = Math.max(greatest, polygon[i]);
  }
  return [least, greatest];
}
