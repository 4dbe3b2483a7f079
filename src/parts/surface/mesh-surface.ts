/**
 * What a mesh's surface accepts as normals, baked once per mesh: flat records per triangle, edge and vertex, in the mesh's frame and
 * unit. Contacts, manifolds and impacts with the mesh are judged by them (accepted-normal.ts, first-pass.ts).
 */
import { invalidInput } from '../../api/errors.ts';
import { rayTree } from '../../bvh/mesh-tree.ts';
import { set, vec3 } from '../../cpu/math.ts';
import type { Mesh } from '../../shapes/parts.ts';
import { TOUCH, weldTolerance, weldVertices } from '../../shapes/weld-vertices.ts';
import { allocate } from '../../util/arrays.ts';
import { createPace, type Work } from '../../util/turns.ts';
import {
  addSearchedEdge,
  addSharedEdge,
  createEdgeFrame,
  PIECE_SIZE,
  placeEdge,
  type EdgeFrame,
  type NearSearch,
} from './edge-pieces.ts';
import { findFlats } from './flat-reach.ts';
import { linkEdges, NO_EDGE, nextCorner, ringSize } from './edge-rings.ts';
import { createTrianglePlanes, isOn, placePlanes, visitNear } from './near-triangles.ts';
import { createNumberList, numbersOf, pushNumbers } from './number-list.ts';
import { keepSurface, surfaceOf, type FlatGroups, type Surface } from './surface.ts';
import { spokesOfCone } from './vertex-cones.ts';

export interface MeshSurface extends Surface {
  readonly outline: Mesh;
  /** For each edge 3 t + k the next one between the same vertices (edge-rings.ts). */
  readonly rings: Int32Array;
  /** For edges that do not have exactly two triangles: finds what is along them. Missing without such edges. */
  readonly search: NearSearch | undefined;
  readonly flats: FlatGroups;
}

/** A triangle whose height is at most this many times the weld tolerance has no normal. */
const LEAST_HEIGHT = 4;

/** The surface of a mesh, which is baked once and stays with it. */
export function* meshSurface(mesh: Mesh): Work<MeshSurface> {
  const surface = (surfaceOf({ parts: mesh }) as MeshSurface | undefined) ?? (yield* bakeSurface(mesh));
  keepSurface(mesh, surface);
  return surface;
}

/** Meshes whose triangles were found to have consistent directions. */
const consistent = new WeakSet<Mesh>();

/** Throws `INVALID_INPUT` if a mesh whose fronts are its surface has two triangles that go along a common edge in the same direction. */
export function* expectFronts(surface: MeshSurface, field: string): Work<MeshSurface> {
  const { outline, welded, rings } = surface;
  const { indices, isFront } = outline;
  if (!isFront || consistent.has(outline)) return surface;
  const isDue = createPace();
  for (let i = 0; i < indices.length; i++) {
    if (isDue(4)) yield;
    if (rings[i] < i || rings[rings[i]] !== i || welded[indices[rings[i]]] !== welded[indices[i]]) continue;
    // A triangle may be listed twice.
    if (welded[indices[thirdCorner(i)]] === welded[indices[thirdCorner(rings[i])]]) continue;
    const edge = [indices[i], indices[nextCorner(i)]];
    invalidInput(
      `${field}.indices`,
      edge,
      "edges along which two triangles go in opposite directions for sides 'front'",
    );
  }
  consistent.add(outline);
  return surface;
}

/** The corner of an edge's triangle that is not on the edge. */
function thirdCorner(edge: number): number {
  return nextCorner(nextCorner(edge));
}

function* bakeSurface(mesh: Mesh): Work<MeshSurface> {
  const weld = weldTolerance(mesh);
  const welded = yield* weldVertices(mesh.positions, weld);
  const normals = yield* findNormals(mesh, welded, weld);
  const rings = yield* linkEdges(mesh.indices, welded, normals);
  const isLoose = yield* findLoose(mesh, welded, rings, normals);
  const search = isLoose.includes(1)
    ? { mesh, faces: normals, tree: yield* rayTree(mesh), reach: TOUCH * weld }
    : undefined;
  const base = { outline: mesh, isFront: mesh.isFront, weld, welded, normals, rings, search };
  // Where both ends are at rims, two sheets may meet along the edge that do not share its vertices.
  const isSearched = (edge: number): boolean =>
    (isLoose[welded[mesh.indices[edge]]] !== 0 && isLoose[welded[mesh.indices[nextCorner(edge)]]] !== 0) ||
    ringSize(rings, edge) !== 2;
  const pieces = yield* bakeEdges(base, isSearched);
  const spokes = yield* bakeVertices(base, isLoose);
  const baked = { ...base, ...pieces, ...spokes };
  const flats = yield* findFlats({ ...baked, isSearched });
  return { ...baked, flats };
}

type Base = Pick<MeshSurface, 'weld' | 'welded' | 'normals' | 'rings' | 'search' | 'outline'>;

function* findNormals({ positions, indices }: Mesh, welded: Uint32Array, weld: number): Work<Float64Array> {
  const isDue = createPace();
  const normals = allocate('surface of the mesh', Float64Array, indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    if (isDue(8)) yield;
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    if (welded[a] === welded[b] || welded[b] === welded[c] || welded[c] === welded[a]) continue;
    const ux = positions[3 * b] - positions[3 * a];
    const uy = positions[3 * b + 1] - positions[3 * a + 1];
    const uz = positions[3 * b + 2] - positions[3 * a + 2];
    const vx = positions[3 * c] - positions[3 * a];
    const vy = positions[3 * c + 1] - positions[3 * a + 1];
    const vz = positions[3 * c + 2] - positions[3 * a + 2];
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const area = Math.sqrt(x * x + y * y + z * z);
    const longest = Math.sqrt(
      Math.max(
        ux * ux + uy * uy + uz * uz,
        vx * vx + vy * vy + vz * vz,
        (ux - vx) ** 2 + (uy - vy) ** 2 + (uz - vz) ** 2,
      ),
    );
    if (!(area > LEAST_HEIGHT * weld * longest)) continue;
    normals[i] = x / area;
    normals[i + 1] = y / area;
    normals[i + 2] = z / area;
  }
  return normals;
}

/**
 * Which welded vertices are on an edge that does not have exactly two triangles, or two of which one is folded over the other: then
 * others may lie along the edge.
 */
function* findLoose(mesh: Mesh, welded: Uint32Array, rings: Int32Array, normals: Float64Array): Work<Uint8Array> {
  const { indices } = mesh;
  const isDue = createPace();
  const isLoose = allocate('surface of the mesh', Uint8Array, welded.length);
  const frame = createEdgeFrame();
  for (let i = 0; i < indices.length; i++) {
    if (isDue(8)) yield;
    if (rings[i] === NO_EDGE) continue;
    if (ringSize(rings, i) === 2 && (rings[i] < i || !isFolded(mesh, normals, i, rings[i], frame))) continue;
    isLoose[welded[indices[i]]] = isLoose[welded[indices[nextCorner(i)]]] = 1;
  }
  return isLoose;
}

/** Cosine of the angle between the planes of two triangles that may be folded. */
const FOLDED = 0.99;

/** Whether the triangle of a second edge is folded over that of a first one. */
function isFolded(mesh: Mesh, normals: Float64Array, edge: number, other: number, frame: EdgeFrame): boolean {
  const a = 3 * Math.floor(edge / 3);
  const b = 3 * Math.floor(other / 3);
  const cosine = normals[a] * normals[b] + normals[a + 1] * normals[b + 1] + normals[a + 2] * normals[b + 2];
  if (Math.abs(cosine) < FOLDED) return false;
  placeEdge(mesh, normals, edge, frame);
  const { from, out } = frame;
  const third = 3 * mesh.indices[thirdCorner(other)];
  const { positions } = mesh;
  const [x, y, z] = [positions[third] - from.x, positions[third + 1] - from.y, positions[third + 2] - from.z];
  return x * out.x + y * out.y + z * out.z < 0;
}

function* bakeEdges({ outline: mesh, normals, rings, search }: Base, isSearched: (edge: number) => boolean) {
  const isDue = createPace();
  const { indices } = mesh;
  const pieceStarts = allocate('surface of the mesh', Uint32Array, indices.length + 1);
  const pieces = createNumberList();
  const frame = createEdgeFrame();
  for (let i = 0; i < indices.length; i++) {
    if (isDue(32)) yield;
    if (rings[i] !== NO_EDGE) {
      placeEdge(mesh, normals, i, frame);
      if (!isSearched(i)) addSharedEdge(mesh, frame, rings[i], pieces);
      else if (search) addSearchedEdge(search, frame, i, pieces);
    }
    pieceStarts[i + 1] = pieces.count / PIECE_SIZE;
  }
  return { pieceStarts, pieces: numbersOf(pieces) };
}

function* bakeVertices({ outline: mesh, welded, normals, rings, search, weld }: Base, isLoose: Uint8Array) {
  const isDue = createPace();
  const { positions, indices } = mesh;
  const { starts, fans } = yield* findFans(indices, welded, rings);
  const spokeStarts = allocate('surface of the mesh', Uint32Array, welded.length + 1);
  const spokes = createNumberList();
  const planes = createTrianglePlanes();
  const at = vec3();
  const touch = TOUCH * weld;
  for (let v = 0; v < welded.length; v++) {
    if (isDue(128)) yield;
    spokeStarts[v + 1] = spokes.count / 3;
    if (starts[v] === starts[v + 1]) continue;
    set(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], at);
    const triangles = new Set(fans.subarray(starts[v], starts[v + 1]));
    if (isLoose[v] && search) {
      visitNear(search.tree, at, at, touch, (triangle) => {
        if (rings[3 * triangle] === NO_EDGE || triangles.has(triangle)) return;
        placePlanes(mesh, normals, triangle, planes);
        if (isOn(planes, at, touch)) triangles.add(triangle);
      });
    }
    const directions: number[] = [];
    for (const triangle of triangles) {
      for (let i = 3 * triangle; i < 3 * triangle + 3; i++) addDirection(positions, indices[i], v, touch, directions);
    }
    pushNumbers(spokes, spokesOfCone(directions));
    spokeStarts[v + 1] = spokes.count / 3;
  }
  return { spokeStarts, spokes: numbersOf(spokes) };
}

/** Appends the direction from a vertex to another that is farther than `touch` from it. */
function addDirection(positions: Float64Array, vertex: number, from: number, touch: number, to: number[]): void {
  const x = positions[3 * vertex] - positions[3 * from];
  const y = positions[3 * vertex + 1] - positions[3 * from + 1];
  const z = positions[3 * vertex + 2] - positions[3 * from + 2];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length > touch) to.push(x / length, y / length, z / length);
}

/** The triangles with a normal at each welded vertex: those of vertex v from `starts[v]` up to `starts[v + 1]`. */
function* findFans(indices: Uint32Array, welded: Uint32Array, rings: Int32Array) {
  const isDue = createPace();
  const starts = allocate('surface of the mesh', Uint32Array, welded.length + 1);
  for (let i = 0; i < indices.length; i++) {
    if (rings[i] !== NO_EDGE) starts[welded[indices[i]] + 1]++;
    if (isDue(2)) yield;
  }
  for (let v = 0; v < welded.length; v++) starts[v + 1] += starts[v];
  const places = starts.slice();
  const fans = allocate('surface of the mesh', Uint32Array, starts[welded.length]);
  for (let i = 0; i < indices.length; i++) {
    if (rings[i] !== NO_EDGE) fans[places[welded[indices[i]]]++] = Math.floor(i / 3);
    if (isDue(2)) yield;
  }
  return { starts, fans };
}
