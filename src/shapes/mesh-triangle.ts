/**
 * Triangles of meshes as convex shapes. A mesh has too many for the general way of making hulls, so what all proper
 * triangles have in common is made once. Degenerate triangles are left to the general way.
 */
import { CORE_TRIANGLE } from '../generated/constants.ts';
import { makeTrails } from './arc-trails.ts';
import { aboutOrigin, placeMiddle, type MiddleRoom } from './core-middle.ts';
import type { Mesh } from './parts.ts';
import { makeShapeData, type ShapeData } from './shape-data.ts';
import { allVertices } from './support-cells.ts';

/** A triangle, and one without area, which has fewer facets. All triangles of meshes need the same kernels as these. */
export const SAMPLE_TRIANGLES: readonly ShapeData[] = [[0, 0, 0, 1, 0, 0, 0, 1, 0], new Float32Array(9)].map((points) =>
  makeShapeData({ type: 'triangle', points }),
);

/** Least height over the longest edge, as a share of that edge, of a triangle that is made here. */
const LEAST_HEIGHT = 1e-4;

/** The edges from each vertex to the next, as the loop of the front face has them. */
const LOOP_EDGES = [0, 1, 1, 2, 2, 0];

/**
 * Face 0 is the one that is seen counter-clockwise, face 1 the other. Each edge has an arc of half a turn in the Gauss
 * map, from normal 0 to normal 1. It is cut at the direction out of the triangle across the edge, normal 2 + edge.
 */
const ARCS = Uint32Array.of(0, 2, 2, 1, 0, 3, 3, 1, 0, 4, 4, 1);

const COMMON = {
  kind: CORE_TRIANGLE,
  radius: 0,
  takesSat: false,
  pointIndices: Uint32Array.of(0, 1, 2),
  edges: Uint32Array.of(0, 1, 0, 2, 1, 2),
  faceVertices: Uint32Array.of(0, 1, 2, 2, 1, 0),
  faceStart: Uint32Array.of(0, 3, 6),
  supportCells: allVertices(3),
} as const;
const GAUSS_ARCS = {
  arcs: ARCS,
  edges: Uint32Array.of(0, 1, 0, 1, 1, 2, 1, 2, 2, 0, 2, 0),
  trails: makeTrails(ARCS),
};

/** A triangle that becomes one of a mesh, and then another. */
export interface MutableTriangle extends ShapeData {
  halfExtents: [number, number, number];
  /** Where its middle is written. */
  room: MiddleRoom;
}

/** Numbers of a triangle: 9 of its vertices, 8 of its faces, 15 and 5 of its Gauss map, 12 of its room. */
const NUMBERS = 49;
/** Triangles whose numbers are allocated together: small pieces of memory take longer than the shapes themselves. */
const AT_ONCE = 64;

let slab = new Float64Array(0);
let used = 0;

export function createTriangle(): MutableTriangle {
  if (used === slab.length) {
    slab = new Float64Array(NUMBERS * AT_ONCE);
    used = 0;
  }
  const numbers = slab.subarray(used, used + NUMBERS);
  used += NUMBERS;
  const vertices = numbers.subarray(0, 9);
  const { middle, coreVertices, middleRadius } = aboutOrigin(3, vertices, 0);
  // The fields of other shapes in their order, and its own after them.
  return {
    middle,
    coreVertices,
    middleRadius,
    kind: COMMON.kind,
    halfExtents: [0, 0, 0],
    radius: COMMON.radius,
    boundingRadius: 0,
    takesSat: COMMON.takesSat,
    extent: 0,
    vertices,
    pointIndices: COMMON.pointIndices,
    edges: COMMON.edges,
    facePlanes: numbers.subarray(9, 17),
    faceVertices: COMMON.faceVertices,
    faceStart: COMMON.faceStart,
    supportCells: COMMON.supportCells,
    gaussMap: { ...GAUSS_ARCS, normals: numbers.subarray(17, 32), offsets: numbers.subarray(32, 37) },
    parts: undefined,
    given: undefined,
    room: { middle: numbers.subarray(37, 40), coreVertices: numbers.subarray(40) },
  };
}

/** Gives a triangle the vertices of a mesh's. Its faces stay what they were: distances take none. */
export function setCorners(mesh: Mesh, triangle: number, to: MutableTriangle): ShapeData {
  setRadius(copyCorners(mesh, triangle, to.vertices), to);
  return to;
}

function setRadius(boundingRadius: number, to: MutableTriangle): void {
  to.boundingRadius = to.extent = boundingRadius;
  placeMiddle(to.vertices, 3, 0, boundingRadius, to.room, to);
}

/** Writes the corners of a triangle, 9 numbers. Returns the greatest distance of a corner from the origin. */
function copyCorners({ positions, indices }: Mesh, triangle: number, to: Float64Array): number {
  let squared = 0;
  for (let i = 0; i < 3; i++) {
    const from = 3 * indices[3 * triangle + i];
    const x = (to[3 * i] = positions[from]);
    const y = (to[3 * i + 1] = positions[from + 1]);
    const z = (to[3 * i + 2] = positions[from + 2]);
    squared = Math.max(squared, x * x + y * y + z * z);
  }
  return Math.sqrt(squared);
}

/** The shape of a mesh's triangle, in the mesh's frame. */
export function triangleShape(mesh: Mesh, triangle: number): ShapeData {
  return setTriangle(mesh, triangle, createTriangle());
}

/** Shapes of degenerate triangles. There are few in most meshes. */
const degenerate = new WeakMap<Mesh, Map<number, ShapeData>>();

function degenerateShape(mesh: Mesh, triangle: number, points: Float64Array): ShapeData {
  let shapes = degenerate.get(mesh);
  if (!shapes) degenerate.set(mesh, (shapes = new Map<number, ShapeData>()));
  const known = shapes.get(triangle);
  if (known) return known;
  const shape = makeShapeData({ type: 'triangle', points }, 'triangle', (value) => value);
  shapes.set(triangle, shape);
  return shape;
}

/** Makes a triangle one of a mesh. Returns it, or another shape for a degenerate triangle. */
export function setTriangle(mesh: Mesh, triangle: number, to: MutableTriangle): ShapeData {
  const { vertices } = to;
  const boundingRadius = copyCorners(mesh, triangle, vertices);
  const ux = vertices[3] - vertices[0];
  const uy = vertices[4] - vertices[1];
  const uz = vertices[5] - vertices[2];
  const vx = vertices[6] - vertices[0];
  const vy = vertices[7] - vertices[1];
  const vz = vertices[8] - vertices[2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const doubleArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const longest = Math.max(squaredLength(vertices, 0, 3), squaredLength(vertices, 3, 6), squaredLength(vertices, 6, 0));
  if (!(doubleArea > LEAST_HEIGHT * longest)) return degenerateShape(mesh, triangle, vertices);
  setRadius(boundingRadius, to);
  const { halfExtents, facePlanes } = to;
  for (let k = 0; k < 3; k++) halfExtents[k] = (vertices[k] + vertices[3 + k] + vertices[6 + k]) / 3;
  const { normals, offsets } = to.gaussMap;
  normals[0] = nx / doubleArea;
  normals[1] = ny / doubleArea;
  normals[2] = nz / doubleArea;
  for (let k = 0; k < 3; k++) normals[3 + k] = -normals[k];
  for (let edge = 0; edge < 3; edge++) writeSideNormal(vertices, edge, normals);
  for (let normal = 0; normal < 5; normal++) offsets[normal] = greatestHeight(to.coreVertices, normals, 3 * normal);
  for (let face = 0; face < 2; face++) {
    for (let k = 0; k < 3; k++) facePlanes[4 * face + k] = normals[3 * face + k];
    facePlanes[4 * face + 3] = greatestHeight(vertices, normals, 3 * face);
  }
  return to;
}

function squaredLength(vertices: Float64Array, from: number, to: number): number {
  const x = vertices[to] - vertices[from];
  const y = vertices[to + 1] - vertices[from + 1];
  const z = vertices[to + 2] - vertices[from + 2];
  return x * x + y * y + z * z;
}

/** The direction in the triangle's plane that points out across an edge: the edge times the front normal. */
function writeSideNormal(vertices: Float64Array, edge: number, normals: Float64Array): void {
  const from = 3 * LOOP_EDGES[2 * edge];
  const to = 3 * LOOP_EDGES[2 * edge + 1];
  const u = vertices[to] - vertices[from];
  const v = vertices[to + 1] - vertices[from + 1];
  const w = vertices[to + 2] - vertices[from + 2];
  const x = v * normals[2] - w * normals[1];
  const y = w * normals[0] - u * normals[2];
  const z = u * normals[1] - v * normals[0];
  const length = Math.sqrt(x * x + y * y + z * z);
  normals[6 + 3 * edge] = x / length;
  normals[7 + 3 * edge] = y / length;
  normals[8 + 3 * edge] = z / length;
}

function greatestHeight(vertices: Float64Array, normals: Float64Array, at: number): number {
  let greatest = -Infinity;
  for (let i = 0; i < 9; i += 3) {
    const height = normals[at] * vertices[i] + normals[at + 1] * vertices[i + 1] + normals[at + 2] * vertices[i + 2];
    if (height > greatest) greatest = height;
  }
  return greatest;
}
