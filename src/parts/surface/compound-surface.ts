/**
 * What the surface of a compound accepts as normals, baked once per compound. Boxes and hulls that touch are one solid: a normal is
 * accepted at a point of a part if no other part there rises above its plane.
 *
 *      _____ +y _____           the edges where two tiles meet accept only +y, and the faces between them nothing
 *     |      ^|      |
 *     |      ||      |          in a step's corner: the two faces only, as far as they are open (open-faces.ts)
 *     |______||______|
 */
import type { PartTree } from '../../bvh/part-tree.ts';
import { set, vec3, type Vec3 } from '../../cpu/math.ts';
import type { Compound } from '../../shapes/parts.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { TOUCH, WELD_TOLERANCE } from '../../shapes/weld-vertices.ts';
import { createPace, type Work } from '../../util/turns.ts';
import {
  addPieces,
  createEdgeFrame,
  finishFrame,
  LEAST_SHARE,
  PIECE_SIZE,
  type EdgeBound,
  type EdgeFrame,
} from './edge-pieces.ts';
import { keepShare, visitNear } from './near-triangles.ts';
import { createNumberList, numbersOf, pushNumbers } from './number-list.ts';
import { openPolygons } from './open-faces.ts';
import { polytopeOf, type Polytope } from './polytopes.ts';
import { isBaked, keepSurface, type OpenPolygon, type SolidOutline, type Solids, type Surface } from './surface.ts';
import { spokesOfCone } from './vertex-cones.ts';

/** Parts thinner than this many times the weld tolerance are flat. */
const LEAST_THICKNESS = 32;

/** Steps of `createPace` per part, and per neighbour of it. */
const PART_STEPS = 256;
const NEIGHBOUR_STEPS = 2 ** 11;

/** Bakes the surface of a compound, if that was not done before. `tree`: the tree of its parts. */
export function* bakeCompound(compound: Compound<ShapeData>, tree: PartTree): Work<void> {
  if (!isBaked(compound)) keepSurface(compound, yield* makeSurface(compound, tree));
}

function* makeSurface(compound: Compound<ShapeData>, tree: PartTree): Work<Surface | null> {
  const isDue = createPace();
  const weld = WELD_TOLERANCE * largestCoordinate(tree);
  const reach = TOUCH * weld;
  const found = new Map<number, Polytope>();
  for (let part = 0; part < compound.shapes.length; part++) {
    if (isDue(PART_STEPS)) yield;
    const polytope = polytopeOf(compound, part, LEAST_THICKNESS * weld);
    if (polytope) found.set(part, polytope);
  }
  const bake = createBake(compound, reach);
  let touches = false;
  for (let part = 0; part < compound.shapes.length; part++) {
    const own = found.get(part);
    const others = own ? neighboursOf(own, found, tree, reach) : [];
    if (isDue(PART_STEPS + NEIGHBOUR_STEPS * others.length)) yield;
    const isTouched = bake.add(part, own, others);
    touches ||= isTouched;
  }
  return touches ? bake.finish(weld) : null;
}

function largestCoordinate({ boxes }: PartTree): number {
  return Math.max(...[0, 1, 2].map((k) => Math.abs(boxes[k]) + boxes[3 + k]));
}

/** The other polytopes whose boxes are near. */
function neighboursOf(
  { part, vertices }: Polytope,
  polytopes: ReadonlyMap<number, Polytope>,
  tree: PartTree,
  reach: number,
): Polytope[] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i++) {
    low[i % 3] = Math.min(low[i % 3], vertices[i]);
    high[i % 3] = Math.max(high[i % 3], vertices[i]);
  }
  const others: Polytope[] = [];
  visitNear(tree, vec3(...low), vec3(...high), reach, (other) => {
    const polytope = polytopes.get(other);
    if (polytope && other !== part) others.push(polytope);
  });
  return others;
}

/** Surfaces of parts, one after the other. */
interface Bake {
  /** Returns whether other parts touch it. */
  add(part: number, own: Polytope | undefined, others: readonly Polytope[]): boolean;
  finish(weld: number): Surface;
}

function createBake(compound: Compound<ShapeData>, reach: number): Bake {
  const count = compound.shapes.length;
  const isPlain = new Uint8Array(count).fill(1);
  const [cornerStarts, edgeStarts, faceStarts] = [0, 1, 2].map(() => new Uint32Array(count + 1));
  const [positions, normals, heights, pieces, spokes] = Array.from({ length: 5 }, createNumberList);
  const edgeEnds: number[] = [];
  const edgeFaces: number[] = [];
  const pieceStarts = [0];
  const spokeStarts = [0];
  const open: OpenPolygon[][] = [];
  const frame = createEdgeFrame();

  function addFaces({ planes, loops }: Polytope, polygons: OpenPolygon[][]): void {
    for (let face = 0; face < loops.length; face++) {
      pushNumbers(normals, Array.from(planes.subarray(4 * face, 4 * face + 3)));
      pushNumbers(heights, [planes[4 * face + 3]]);
      open.push(polygons[face]);
    }
  }

  function addEdges(part: number, own: Polytope, others: readonly Polytope[]): boolean {
    let isTouched = false;
    for (let i = 0; i < own.edges.length; i += 4) {
      const [from, to, face, other] = own.edges.subarray(i, i + 4);
      placeAt(own.vertices, 3 * from, frame.from);
      placeAt(own.vertices, 3 * to, frame.to);
      placeAt(own.planes, 4 * face, frame.normal);
      finishFrame(frame);
      const bounds: EdgeBound[] = [];
      for (const solid of others) addBound(solid, frame, reach, bounds);
      isTouched ||= bounds.length > 0;
      addPieces(bounds, angleOf(own, other, frame), Math.PI / 2, pieces);
      edgeEnds.push(cornerStarts[part] + from, cornerStarts[part] + to);
      edgeFaces.push(faceStarts[part] + face);
      pieceStarts.push(pieces.count / PIECE_SIZE);
    }
    return isTouched;
  }

  function addVertices(own: Polytope, others: readonly Polytope[]): boolean {
    let isTouched = false;
    for (let v = 0; v < own.vertices.length; v += 3) {
      const directions: number[] = [];
      addDirections(own, own.vertices, v, reach, directions);
      const alone = directions.length;
      for (const solid of others)
        if (contains(solid, own.vertices, v, reach)) addDirections(solid, own.vertices, v, reach, directions);
      isTouched ||= directions.length > alone;
      pushNumbers(spokes, spokesOfCone(directions));
      spokeStarts.push(spokes.count / 3);
    }
    return isTouched;
  }

  return {
    add(part, own, others) {
      let isTouched = false;
      if (own && others.length > 0) {
        const polygons = own.loops.map((_, face) => openPolygons(own, face, others, reach));
        const isCovered = polygons.some((of) => of.length !== 1 || !of[0].isWhole);
        const [hasEdges, hasVertices] = [addEdges(part, own, others), addVertices(own, others)];
        isTouched = isCovered || hasEdges || hasVertices;
        pushNumbers(positions, Array.from(own.vertices));
        addFaces(own, polygons);
        isPlain[part] = isTouched ? 0 : 1;
      }
      cornerStarts[part + 1] = positions.count / 3;
      edgeStarts[part + 1] = edgeFaces.length;
      faceStarts[part + 1] = open.length;
      return isTouched;
    },
    finish(weld) {
      const solids: Solids = {
        compound,
        isPlain,
        edgeStarts,
        faceStarts,
        open,
        edgeEnds: Uint32Array.from(edgeEnds),
        edgeFaces: Uint32Array.from(edgeFaces),
        heights: numbersOf(heights),
      };
      const indices = identity(positions.count / 3);
      const outline: SolidOutline = { positions: numbersOf(positions), indices, starts: cornerStarts, solids };
      return {
        outline,
        weld,
        isFront: false,
        welded: indices,
        normals: numbersOf(normals),
        pieceStarts: Uint32Array.from(pieceStarts),
        pieces: numbersOf(pieces),
        spokeStarts: Uint32Array.from(spokeStarts),
        spokes: numbersOf(spokes),
      };
    },
  };
}

function placeAt(numbers: Float64Array, at: number, to: Vec3): void {
  set(numbers[at], numbers[at + 1], numbers[at + 2], to);
}

function identity(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}

/** The angle of a face's normal, seen along an edge. */
function angleOf({ planes }: Polytope, face: number, { normal, out }: EdgeFrame): number {
  const [x, y, z] = planes.subarray(4 * face, 4 * face + 3);
  return Math.atan2(x * normal.x + y * normal.y + z * normal.z, x * out.x + y * out.y + z * out.z);
}

/** How far a point is over a solid's plane. */
function heightOver(planes: Float64Array, i: number, x: number, y: number, z: number): number {
  return planes[i] * x + planes[i + 1] * y + planes[i + 2] * z - planes[i + 3];
}

const share = new Float64Array(2);

/** Appends which normals a solid leaves to the length of an edge that lies in it. */
function addBound(solid: Polytope, frame: EdgeFrame, reach: number, bounds: EdgeBound[]): void {
  const { from, to, length } = frame;
  const { planes } = solid;
  share[0] = 0;
  share[1] = 1;
  for (let i = 0; i < planes.length; i += 4) {
    const first = heightOver(planes, i, from.x, from.y, from.z);
    keepShare(reach - first, reach - heightOver(planes, i, to.x, to.y, to.z), share);
  }
  if (!(share[1] - share[0] > Math.max((4 * reach) / length, LEAST_SHARE))) return;
  const along = (share[0] + share[1]) / 2;
  const x = from.x + along * (to.x - from.x);
  const y = from.y + along * (to.y - from.y);
  const z = from.z + along * (to.z - from.z);
  // The normals that the solid itself has there: those between the faces that the edge lies on. None inside of it.
  let [least, greatest] = [Infinity, -Infinity];
  for (let face = 0; 4 * face < planes.length; face++) {
    if (heightOver(planes, 4 * face, x, y, z) < -reach) continue;
    let angle = angleOf(solid, face, frame);
    if (least < Infinity) angle += turnTo(angle, (least + greatest) / 2);
    least = Math.min(least, angle);
    greatest = Math.max(greatest, angle);
  }
  if (least < Infinity) {
    // The edge's own normals are around 0 to 90 degrees.
    const turn = turnTo((least + greatest) / 2, Math.PI / 4);
    least += turn;
    greatest += turn;
  }
  bounds.push([share[0], share[1], least, greatest]);
}

/** The turns after which an angle is nearest to another. */
function turnTo(angle: number, other: number): number {
  return 2 * Math.PI * Math.round((other - angle) / (2 * Math.PI));
}

function contains({ planes }: Polytope, points: Float64Array, at: number, reach: number): boolean {
  for (let i = 0; i < planes.length; i += 4)
    if (heightOver(planes, i, points[at], points[at + 1], points[at + 2]) > reach) return false;
  return true;
}

const direction = vec3();

/** Appends the directions from a point to a solid's vertices that are farther than `reach` from it. */
function addDirections({ vertices }: Polytope, points: Float64Array, at: number, reach: number, to: number[]): void {
  for (let i = 0; i < vertices.length; i += 3) {
    set(vertices[i] - points[at], vertices[i + 1] - points[at + 1], vertices[i + 2] - points[at + 2], direction);
    const length = Math.hypot(direction.x, direction.y, direction.z);
    if (length > reach) to.push(direction.x / length, direction.y / length, direction.z / length);
  }
}
