/**
 * How far flat ground goes on around a triangle, in its plane. Triangles of one plane that share edges are a flat group, whose rim is
 * where no neighbour is in the plane. Groups are found when a contact first asks for them, and stay with the surface.
 */
import { addScaled, dot, vec3, type Vec3 } from '../../cpu/math.ts';
import { createEdgeFrame, PIECE_SIZE, placeEdge, visitAlong } from './edge-pieces.ts';
import type { MeshSurface } from './mesh-surface.ts';
import { createNumberList, numbersOf, pushNumbers } from './number-list.ts';

/** Neighbours whose planes differ by no more than this angle, or by the weld tolerance over their heights, are in one plane. */
const FLAT_ANGLE = 1e-5;

/** In units of the weld tolerance over a triangle's height: the angle that rounding of its corners makes. */
const FLAT_WELDS = 8;

/** The rims of flat groups, 6 numbers per segment, by triangle. */
const rims = new WeakMap<MeshSurface, Map<number, Float64Array>>();

const frame = createEdgeFrame();
const centroid = vec3();
const between = vec3();

/**
 * How far a point of a triangle's plane is from leaving the disc around the triangle's centroid within which the ground is flat;
 * negative outside.
 */
export function flatReach(surface: MeshSurface, triangle: number, point: Vec3): number {
  const { positions, indices } = surface.mesh;
  centroid.x = centroid.y = centroid.z = 0;
  for (let k = 0; k < 3; k++) {
    const from = 3 * indices[3 * triangle + k];
    centroid.x += positions[from] / 3;
    centroid.y += positions[from + 1] / 3;
    centroid.z += positions[from + 2] / 3;
  }
  addScaled(point, centroid, -1, between);
  const aside = Math.sqrt(dot(between, between));
  const rim = rimOf(surface, triangle);
  let reach = Infinity;
  for (let i = 0; i < rim.length && reach > aside; i += 6) reach = Math.min(reach, distanceTo(rim, i, centroid));
  return reach === Infinity ? 0 : reach - aside;
}

/** The distance of a point from a segment. */
function distanceTo(segments: Float64Array, i: number, { x, y, z }: Vec3): number {
  const u = segments[i + 3] - segments[i];
  const v = segments[i + 4] - segments[i + 1];
  const w = segments[i + 5] - segments[i + 2];
  const px = x - segments[i];
  const py = y - segments[i + 1];
  const pz = z - segments[i + 2];
  const squared = u * u + v * v + w * w;
  const share = squared > 0 ? Math.min(Math.max((px * u + py * v + pz * w) / squared, 0), 1) : 0;
  return Math.hypot(px - share * u, py - share * v, pz - share * w);
}

function rimOf(surface: MeshSurface, triangle: number): Float64Array {
  let known = rims.get(surface);
  if (!known) rims.set(surface, (known = new Map<number, Float64Array>()));
  return known.get(triangle) ?? findGroup(surface, triangle, known);
}

/** Finds the group of a triangle, and notes the rim for all triangles in it. */
function findGroup(surface: MeshSurface, first: number, known: Map<number, Float64Array>): Float64Array {
  const { mesh, normals, rings, pieceStarts, pieces, search } = surface;
  const group = new Set([first]);
  const rim = createNumberList();
  for (const triangle of group) {
    const flat = flatAngle(surface, triangle);
    const add = (other: number): void => {
      const most = Math.max(flat, flatAngle(surface, other));
      if (Math.abs(cosine(normals, triangle, other)) > 1 - 0.5 * most * most) group.add(other);
    };
    for (let edge = 3 * triangle; edge < 3 * triangle + 3; edge++) {
      placeEdge(mesh, normals, edge, frame);
      let isShared = pieceStarts[edge + 1] - pieceStarts[edge] === 1;
      for (let i = pieceStarts[edge]; i < pieceStarts[edge + 1]; i++) {
        const at = PIECE_SIZE * i;
        // In the plane, the accepted angles end at the normal of one side before they begin (edge-pieces.ts).
        if (pieces[at + 2] >= Math.PI / 2 - flat || pieces[at + 3] <= flat - Math.PI / 2) continue;
        isShared = false;
        const { from, along, length } = frame;
        for (const share of [pieces[at], pieces[at + 1]]) {
          addScaled(from, along, share * length, between);
          pushNumbers(rim, [between.x, between.y, between.z]);
        }
      }
      for (let i = rings[edge]; i !== edge; i = rings[i]) add(Math.floor(i / 3));
      if (search && !isShared) visitAlong(search, frame, edge, add);
    }
  }
  const found = numbersOf(rim);
  for (const triangle of group) known.set(triangle, found);
  return found;
}

/** The angle within which a neighbour counts as in the plane of a triangle. */
function flatAngle({ mesh: { positions, indices }, weld }: MeshSurface, triangle: number): number {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * triangle + k]);
  const [ux, uy, uz] = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
  const [vx, vy, vz] = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
  const area = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  const longest = Math.max(Math.hypot(ux, uy, uz), Math.hypot(vx, vy, vz), Math.hypot(ux - vx, uy - vy, uz - vz));
  return Math.max(FLAT_ANGLE, (FLAT_WELDS * weld * longest) / area);
}

function cosine(normals: Float64Array, a: number, b: number): number {
  return (
    normals[3 * a] * normals[3 * b] + normals[3 * a + 1] * normals[3 * b + 1] + normals[3 * a + 2] * normals[3 * b + 2]
  );
}
