/**
 * How far flat ground goes on around a triangle, in its plane. Triangles of one plane that share edges are a flat group, whose rim is
 * where no neighbour is in the plane. Groups of more than one triangle are found when the mesh is baked.
 */
import { addScaled, dot, vec3, type Vec3 } from '../../cpu/math.ts';
import type { Mesh } from '../../shapes/parts.ts';
import { allocate } from '../../util/arrays.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { createEdgeFrame, PIECE_SIZE, placeEdge, visitAlong, type EdgeFrame, type NearSearch } from './edge-pieces.ts';
import { NO_EDGE } from './edge-rings.ts';
import { createNumberList, numbersOf, pushNumbers, type NumberList } from './number-list.ts';
import { ALONE, type FlatGroups, type Outline } from './surface.ts';

/** Neighbours whose planes differ by no more than this angle, or by the weld tolerance over their heights, are in one plane. */
const FLAT_ANGLE = 1e-5;

/** In units of the weld tolerance over a triangle's height: the angle that rounding of its corners makes. */
const FLAT_WELDS = 1;

/** Steps of `createPace` per edge whose neighbours are looked at, and more if they are searched. */
const EDGE_STEPS = 32;
const SEARCH_STEPS = 512;

const centroid = vec3();
const between = vec3();
const own = new Float64Array(18);

/**
 * How far a point of a triangle's plane is from leaving the disc around the triangle's centroid within which the ground is flat;
 * negative outside.
 */
export function flatReach(
  { outline, flats }: { readonly outline: Outline; readonly flats: FlatGroups },
  triangle: number,
  point: Vec3,
): number {
  const reach = flatReachOf(outline, flats, triangle);
  addScaled(point, centreOf(outline, triangle), -1, between);
  return reach - Math.sqrt(dot(between, between));
}

/** How far the ground is flat around a triangle's centroid. */
export function flatReachOf(outline: Outline, flats: FlatGroups, triangle: number): number {
  const known = flats.reaches[triangle];
  if (known >= 0) return known;
  centreOf(outline, triangle);
  return (flats.reaches[triangle] = reachOf(flats, triangle));
}

/** Writes a triangle's centroid to `centroid`, and its rim to `own`. */
function centreOf({ positions, indices }: Outline, triangle: number): Vec3 {
  centroid.x = centroid.y = centroid.z = 0;
  for (let k = 0; k < 3; k++) {
    const from = 3 * indices[3 * triangle + k];
    centroid.x += positions[from] / 3;
    centroid.y += positions[from + 1] / 3;
    centroid.z += positions[from + 2] / 3;
    for (let axis = 0; axis < 3; axis++) own[6 * k + axis] = own[6 * ((k + 2) % 3) + 3 + axis] = positions[from + axis];
  }
  return centroid;
}

/** The distance of `centroid` from the rim, of which `own` is the triangle's. */
function reachOf(flats: FlatGroups, triangle: number): number {
  const group = flats.groups[triangle];
  if (group === ALONE) return nearestOf(own, 0, own.length, Infinity);
  const blocks = blocksOf(flats, group);
  let reach = Infinity;
  // The nearest block first: it leaves few others to look at.
  let nearest = 0;
  for (let block = 0; block < blocks.length; block++)
    if (distanceToBlock(blocks[block]) < distanceToBlock(blocks[nearest])) nearest = block;
  for (let i = -1; i < blocks.length; i++) {
    const block = blocks[i < 0 ? nearest : i];
    if (block && i !== nearest && distanceToBlock(block) < reach)
      reach = nearestOf(flats.rims, block.start, block.end, reach);
  }
  return reach === Infinity ? 0 : reach;
}

/** The distance of `centroid` from the nearest of some segments, if it is less than `most`. */
function nearestOf(segments: Float64Array, start: number, end: number, most: number): number {
  let reach = most;
  for (let i = start; i < end; i += 6) reach = Math.min(reach, distanceTo(segments, i, centroid));
  return reach;
}

/** Consecutive segments of a rim, in a box. */
interface RimBlock {
  start: number;
  end: number;
  low: Float64Array;
  high: Float64Array;
}

/** Numbers of the segments of a block. */
const BLOCK_NUMBERS = 6 * 32;

const rimBlocks = new WeakMap<FlatGroups, RimBlock[][]>();

function blocksOf(flats: FlatGroups, group: number): RimBlock[] {
  let known = rimBlocks.get(flats);
  if (!known) rimBlocks.set(flats, (known = []));
  return (known[group] ??= makeBlocks(flats, group));
}

function makeBlocks({ rimStarts, rims }: FlatGroups, group: number): RimBlock[] {
  const blocks: RimBlock[] = [];
  for (let start = rimStarts[group]; start < rimStarts[group + 1]; start += BLOCK_NUMBERS) {
    const end = Math.min(start + BLOCK_NUMBERS, rimStarts[group + 1]);
    const low = new Float64Array(3).fill(Infinity);
    const high = new Float64Array(3).fill(-Infinity);
    for (let i = start; i < end; i++) {
      const axis = (i - start) % 3;
      low[axis] = Math.min(low[axis], rims[i]);
      high[axis] = Math.max(high[axis], rims[i]);
    }
    blocks.push({ start, end, low, high });
  }
  return blocks;
}

/** The distance of `centroid` from the box of a block. */
function distanceToBlock({ low, high }: RimBlock): number {
  const { x, y, z } = centroid;
  const u = Math.max(low[0] - x, x - high[0], 0);
  const v = Math.max(low[1] - y, y - high[1], 0);
  const w = Math.max(low[2] - z, z - high[2], 0);
  return Math.sqrt(u * u + v * v + w * w);
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

/** What is baked of a mesh before its flat groups (mesh-surface.ts). */
interface BakedEdges {
  readonly outline: Mesh;
  readonly weld: number;
  readonly normals: Float64Array;
  readonly rings: Int32Array;
  readonly pieceStarts: Uint32Array;
  readonly pieces: Float64Array;
  readonly search: NearSearch | undefined;
  /** Whether other triangles than those of its ring may lie along an edge. */
  isSearched(edge: number): boolean;
}

/** Finds the flat groups of a mesh, whose edges are baked. */
export function* findFlats(surface: BakedEdges): Work<FlatGroups> {
  const { outline: mesh, normals, rings, search } = surface;
  const isDue = createPace();
  const frame = createEdgeFrame();
  const count = mesh.indices.length / 3;
  const groups = allocate('surface of the mesh', Uint32Array, count).fill(ALONE);
  const rimStarts = [0];
  const rims = createNumberList();
  const flatAngles = allocate('surface of the mesh', Float64Array, count);
  for (let triangle = 0; triangle < count; triangle++) {
    if (isDue(16)) yield;
    if (rings[3 * triangle] !== NO_EDGE) flatAngles[triangle] = flatAngle(surface, triangle);
  }
  for (let first = 0; first < count; first++) {
    if (isDue(1)) yield;
    if (groups[first] !== ALONE || rings[3 * first] === NO_EDGE) continue;
    const number = rimStarts.length - 1;
    const members = [first];
    const rimStart = rims.count;
    for (let i = 0; i < members.length; i++) {
      const triangle = members[i];
      const flat = flatAngles[triangle];
      const add = (other: number): void => {
        if (other === first || groups[other] !== ALONE) return;
        const most = Math.max(flat, flatAngles[other]);
        if (Math.abs(cosine(normals, triangle, other)) <= 1 - 0.5 * most * most) return;
        if (!isInPlane(surface, first, flatAngles[first], other)) return;
        groups[other] = number;
        members.push(other);
      };
      for (let edge = 3 * triangle; edge < 3 * triangle + 3; edge++) {
        if (isDue(EDGE_STEPS)) yield;
        for (let other = rings[edge]; other !== edge; other = rings[other]) add(Math.floor(other / 3));
        placeEdge(mesh, normals, edge, frame);
        if (addRim(surface, frame, edge, flat, rims) || !search || !surface.isSearched(edge)) continue;
        if (isDue(SEARCH_STEPS)) yield;
        visitAlong(search, frame, edge, add);
      }
    }
    if (members.length === 1) {
      rims.count = rimStart;
      continue;
    }
    groups[first] = number;
    rimStarts.push(rims.count);
  }
  const reaches = allocate('surface of the mesh', Float64Array, count).fill(NaN);
  return { groups, rimStarts, rims: numbersOf(rims), reaches };
}

/**
 * Appends the pieces of an edge that are not shared with a triangle in the plane. Returns whether a single triangle in the
 * plane shares all of the edge.
 */
function addRim(
  { pieceStarts, pieces }: BakedEdges,
  { from, along, length }: EdgeFrame,
  edge: number,
  flat: number,
  rim: NumberList,
): boolean {
  let isShared = pieceStarts[edge + 1] - pieceStarts[edge] === 1;
  for (let i = pieceStarts[edge]; i < pieceStarts[edge + 1]; i++) {
    const at = PIECE_SIZE * i;
    // In the plane, the accepted angles end at the normal of one side before they begin (edge-pieces.ts).
    if (pieces[at + 2] >= Math.PI / 2 - flat || pieces[at + 3] <= flat - Math.PI / 2) continue;
    isShared = false;
    for (let end = 0; end < 2; end++) {
      addScaled(from, along, pieces[at + end] * length, between);
      pushNumbers(rim, [between.x, between.y, between.z]);
    }
  }
  return isShared;
}

/** Corners are in a plane if they are this many times the weld tolerance from it, and more by a share of the flat angle. */
const PLANE_WELDS = 2;
const PLANE_ANGLE = 1 / 4;

/** Whether a triangle's corners are in the plane of another: without this, curved ground would go on as flat, step by step. */
function isInPlane({ outline, normals, weld }: BakedEdges, first: number, flat: number, triangle: number): boolean {
  const { positions, indices } = outline;
  const from = 3 * indices[3 * first];
  const [nx, ny, nz] = [normals[3 * first], normals[3 * first + 1], normals[3 * first + 2]];
  for (let i = 3 * triangle; i < 3 * triangle + 3; i++) {
    const x = positions[3 * indices[i]] - positions[from];
    const y = positions[3 * indices[i] + 1] - positions[from + 1];
    const z = positions[3 * indices[i] + 2] - positions[from + 2];
    const height = Math.abs(x * nx + y * ny + z * nz);
    if (height > PLANE_WELDS * weld + PLANE_ANGLE * flat * Math.sqrt(x * x + y * y + z * z)) return false;
  }
  return true;
}

/** The angle within which a neighbour counts as in the plane of a triangle. */
function flatAngle(
  { outline: { positions, indices }, weld }: { outline: Mesh; weld: number },
  triangle: number,
): number {
  const [a, b, c] = [3 * indices[3 * triangle], 3 * indices[3 * triangle + 1], 3 * indices[3 * triangle + 2]];
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const area = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  const longest = Math.max(Math.hypot(ux, uy, uz), Math.hypot(vx, vy, vz), Math.hypot(ux - vx, uy - vy, uz - vz));
  return Math.max(FLAT_ANGLE, (FLAT_WELDS * weld * longest) / area);
}

function cosine(normals: Float64Array, a: number, b: number): number {
  return (
    normals[3 * a] * normals[3 * b] + normals[3 * a + 1] * normals[3 * b + 1] + normals[3 * a + 2] * normals[3 * b + 2]
  );
}
