/**
 * The surface of a body of parts: which normals its contacts may have. A mesh's parts are triangles, which are sheets; a compound's are
 * polytopes, which are solids. Both have faces, edges and vertices, and the same flat records of what is accepted there, in the body's
 * frame and unit: baked once per mesh (mesh-surface.ts) or compound (compound-surface.ts), and read by all passes over contacts.
 */
import type { Vec3 } from '../../cpu/math.ts';
import { set } from '../../cpu/math.ts';
import type { Compound, Mesh, Parts } from '../../shapes/parts.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';

/** A convex polygon of a face of a solid that no other solid covers. */
export interface OpenPolygon {
  /** Counter-clockwise from outside, 3 numbers each. */
  readonly points: Float64Array;
  /** Whether it is the whole face. */
  readonly isWhole: boolean;
  /** A ball around it. */
  readonly middle: readonly number[];
  readonly radius: number;
}

/** What solids have and triangles do not need: numbers of their corners, edges and faces. */
export interface Solids {
  readonly compound: Compound<ShapeData>;
  /** Parts that are judged as convex shapes: they are round, curved or flat, or touch no other part. */
  readonly isPlain: Uint8Array;
  /** Part p has the edges from `edgeStarts[p]` up to `edgeStarts[p + 1]`; its faces are alike. */
  readonly edgeStarts: Uint32Array;
  readonly faceStarts: Uint32Array;
  /** Two corners per edge, counter-clockwise around its face. */
  readonly edgeEnds: Uint32Array;
  readonly edgeFaces: Uint32Array;
  /** The height of each face's plane along its normal. */
  readonly heights: Float64Array;
  /** What is not covered of each face. */
  readonly open: readonly (readonly OpenPolygon[])[];
}

/** The vertices, edges and faces of parts: a mesh, whose triangles have three corners and edges and one face each, or solids. */
export type Outline = (Mesh & { readonly starts?: undefined; readonly solids?: undefined }) | SolidOutline;

export interface SolidOutline {
  readonly positions: Float64Array;
  /** The vertex of each corner. Part p has the corners from `starts[p]` up to `starts[p + 1]`. */
  readonly indices: Uint32Array;
  readonly starts: Uint32Array;
  readonly solids: Solids;
}

/** A triangle without neighbours in its plane. */
export const ALONE = 0xffff_ffff;

/** Triangles of one plane that share edges (flat-reach.ts). */
export interface FlatGroups {
  /** The group of each triangle, or `ALONE`. */
  readonly groups: Uint32Array;
  /** The rim of group g: 6 numbers per segment, from `rimStarts[g]` up to `rimStarts[g + 1]`. */
  readonly rimStarts: readonly number[];
  readonly rims: Float64Array;
  /** How far each triangle's centroid is from the rim, once it was asked for; NaN before. */
  readonly reaches: Float64Array;
}

export interface Surface {
  readonly outline: Outline;
  /** Whether only the front of triangles is surface. */
  readonly isFront: boolean;
  /** The distance up to which vertices count as one. */
  readonly weld: number;
  /** The vertex that each vertex counts as. */
  readonly welded: Uint32Array;
  /** The unit normal of each face, 3 numbers; zeros if a triangle is too thin to have one. */
  readonly normals: Float64Array;
  /** The pieces of edge i are those from `pieceStarts[i]` up to `pieceStarts[i + 1]`, `PIECE_SIZE` numbers each (edge-pieces.ts). */
  readonly pieceStarts: Uint32Array;
  readonly pieces: Float64Array;
  /** The spokes of vertex v, 3 numbers each, from `spokeStarts[v]` up to `spokeStarts[v + 1]`; none without a cone (vertex-cones.ts). */
  readonly spokeStarts: Uint32Array;
  readonly spokes: Float64Array;
  /** Where the ground of triangles is flat. */
  readonly flats?: FlatGroups;
}

const known = new WeakMap<Parts<ShapeData>, Surface | null>();

/** Keeps the surface of a body. `null`: its parts do not touch. */
export function keepSurface(parts: Mesh | Compound<ShapeData>, surface: Surface | null): void {
  known.set(parts, surface);
}

/** The surface of a body, which was baked before; undefined if its parts do not touch, or it is one convex shape. */
export function surfaceOf({ parts }: Pick<ShapeData, 'parts'>): Surface | undefined {
  return (parts && known.get(parts)) ?? undefined;
}

/** Whether a surface was baked, or it is known that there is none. */
export function isBaked(parts: Parts<ShapeData>): boolean {
  return known.has(parts);
}

/** The first corner of a part: it has those before the next part's. */
export function cornersFrom({ starts }: Outline, part: number): number {
  return starts ? starts[part] : 3 * part;
}

export function edgesFrom({ solids }: Outline, part: number): number {
  return solids ? solids.edgeStarts[part] : 3 * part;
}

export function facesFrom({ solids }: Outline, part: number): number {
  return solids ? solids.faceStarts[part] : part;
}

/** The corner at an end of an edge. */
export function cornerOfEdge({ solids }: Outline, edge: number, end: 0 | 1): number {
  if (solids) return solids.edgeEnds[2 * edge + end];
  if (end === 0) return edge;
  return edge % 3 === 2 ? edge - 2 : edge + 1;
}

/** The face that an edge is described from. */
export function faceOfEdge({ solids }: Outline, edge: number): number {
  return solids ? solids.edgeFaces[edge] : Math.floor(edge / 3);
}

/** Writes the place of a corner. */
export function placeCorner({ positions, indices }: Outline, corner: number, to: Vec3): Vec3 {
  const from = 3 * indices[corner];
  return set(positions[from], positions[from + 1], positions[from + 2], to);
}

/** Whether a part is a triangle that is too thin to have a normal. */
export function isThin({ outline: { solids }, normals }: Surface, part: number): boolean {
  return !solids && normals[3 * part] === 0 && normals[3 * part + 1] === 0 && normals[3 * part + 2] === 0;
}

/** Whether a part is a convex shape whose contacts stay as they are. */
export function isPlain({ outline: { solids } }: Surface, part: number): boolean {
  return solids !== undefined && solids.isPlain[part] === 1;
}
