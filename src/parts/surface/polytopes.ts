/** The sharp polytopes among a compound's parts, in the compound's frame: boxes and hulls without a rounding radius. */
import { rotationMatrix, set, transform, vec3 } from '../../cpu/math.ts';
import { CORE_BOX, CORE_HULL } from '../../generated/constants.ts';
import type { Compound } from '../../shapes/parts.ts';
import { makePlainHull, type ShapeData } from '../../shapes/shape-data.ts';

export interface Polytope {
  readonly part: number;
  /** x, y, z per vertex. */
  readonly vertices: Float64Array;
  /** Outward unit normal and height of each face: 4 numbers. */
  readonly planes: Float64Array;
  /** The vertices of each face, counter-clockwise from outside. */
  readonly loops: readonly (readonly number[])[];
  /** Per edge two vertices, counter-clockwise around the first of the two faces that follow: 4 numbers. */
  readonly edges: Uint32Array;
}

const rotation = new Float64Array(9);
const at = vec3();

/** A part as a polytope; undefined if it is round or curved, or flat: thinner than `least`. */
export function polytopeOf(
  { shapes, positions, quaternions, scales }: Compound<ShapeData>,
  part: number,
  least: number,
): Polytope | undefined {
  const shape = shapes[part];
  const { kind, radius, halfExtents } = shape;
  if (radius > 0 || (kind !== CORE_BOX && kind !== CORE_HULL)) return undefined;
  const hull = kind === CORE_BOX ? makePlainHull(cornersOfBox(halfExtents)) : shape;
  rotationMatrix(quaternions.subarray(4 * part, 4 * part + 4), rotation);
  const scale = scales[part];
  const vertices = new Float64Array(hull.vertices.length);
  for (let i = 0; i < vertices.length; i += 3) {
    const [x, y, z] = hull.vertices.subarray(i, i + 3);
    transform(rotation, set(x * scale, y * scale, z * scale, at), at);
    vertices.set([at.x + positions[3 * part], at.y + positions[3 * part + 1], at.z + positions[3 * part + 2]], i);
  }
  const { faceStart, faceVertices } = hull;
  const loops = Array.from({ length: faceStart.length - 1 }, (_, f) =>
    Array.from(faceVertices.subarray(faceStart[f], faceStart[f + 1])),
  );
  const planes = new Float64Array(4 * loops.length);
  for (let face = 0; face < loops.length; face++) {
    const [x, y, z] = hull.facePlanes.subarray(4 * face, 4 * face + 3);
    transform(rotation, set(x, y, z, at), at);
    let [lowest, highest] = [Infinity, -Infinity];
    for (let i = 0; i < vertices.length; i += 3) {
      const height = at.x * vertices[i] + at.y * vertices[i + 1] + at.z * vertices[i + 2];
      lowest = Math.min(lowest, height);
      highest = Math.max(highest, height);
    }
    if (!(highest - lowest > least) || loops[face].length < 3) return undefined;
    planes.set([at.x, at.y, at.z, highest], 4 * face);
  }
  const edges = edgesOf(loops);
  return edges && { part, vertices, planes, loops, edges };
}

function cornersOfBox([x, y, z]: readonly [number, number, number]): number[] {
  return Array.from({ length: 8 }, (_, i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]).flat();
}

/** The edges between loops; undefined if an edge does not have two faces. */
function edgesOf(loops: readonly (readonly number[])[]): Uint32Array | undefined {
  const faces = new Map<string, number>();
  for (const [face, loop] of loops.entries())
    for (const [i, from] of loop.entries()) faces.set(`${from},${loop[(i + 1) % loop.length]}`, face);
  const edges: number[] = [];
  for (const [key, face] of faces) {
    const [from, to] = key.split(',').map(Number);
    const other = faces.get(`${to},${from}`);
    if (other === undefined) return undefined;
    if (from < to) edges.push(from, to, face, other);
  }
  return Uint32Array.from(edges);
}
