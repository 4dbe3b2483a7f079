/**
 * Volume, centroid and inertia tensor of 3-D shapes. Exact except for rounding in double precision.
 *
 * Cylinders, cones and ellipsoids have closed forms. Every other shape is a polytope with a ball of radius r around
 * each of its points. It is the sum of parts whose moments are polynomials in r (Steiner's formula, for moments of
 * second order):
 *
 * - the polytope: tetrahedra from a point inside over the triangles of its surface;
 * - over each triangle a prism of height r;
 * - along each edge a sector of a cylinder, between the normals of the two triangles: an angle θ about the edge;
 * - at each corner a sector of the ball, the corner's normal cone. Its solid angle is 2π minus the angles of the
 *   triangles there. The integral of unit vectors over it is half the sum, over the edges, of θ times the unit vector
 *   against the edge. Together the second moments of all sectors are the ball's.
 *
 * Edges inside flat faces have θ = 0. A flat polygon has triangles on both sides, and θ = π at its border. Along a
 * segment θ = 2π.
 */
import { invalidInput } from '../api/errors.ts';
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_SEGMENT,
} from '../generated/constants.ts';
import type { MassProperties } from '../api/geometry.ts';
import { hullSurface, type HullSurface } from './hull.ts';
import type { ShapeData } from './shape-data.ts';

export type Vector = readonly [x: number, y: number, z: number];

/** Moments of a body of density 1 about the origin. */
export interface Moments {
  volume: number;
  /** Integral of the position. */
  first: number[];
  /** Integral of position times position transposed, row by row. */
  second: number[];
}

export function noMoments(): Moments {
  return { volume: 0, first: [0, 0, 0], second: Array<number>(9).fill(0) };
}

/** Throws `INVALID_INPUT` with `id` in the message for a half-space. */
export function massProperties(shape: ShapeData, id: number): MassProperties {
  const {
    kind,
    halfExtents: [x, y, z],
    radius,
  } = shape;
  if (kind === CORE_HALFSPACE) invalidInput('id', id, 'a shape with bounds, and this is a half-space');
  if (kind === CORE_CYLINDER) return upright(Math.PI * x * x * 2 * y, 0, (x * x) / 4 + (y * y) / 3, (x * x) / 2);
  // The centroid is a quarter of the height above the base, except for a cone without volume.
  if (kind === CORE_CONE)
    return upright(
      (Math.PI * x * x * 2 * y) / 3,
      x > 0 && y > 0 ? -y / 2 : 0,
      (3 / 20) * (x * x + y * y),
      (3 / 10) * x * x,
    );
  if (kind === CORE_ELLIPSOID)
    return diagonal((4 / 3) * Math.PI * x * y * z, 0, [(y * y + z * z) / 5, (x * x + z * z) / 5, (x * x + y * y) / 5]);
  return roundedPolytope(hullSurface(corners(shape)), radius);
}

/**
 * Mass properties of a shape that is symmetric about the y axis. `across` and `along` are the moments of inertia about
 * axes through the centroid, divided by the volume.
 */
function upright(volume: number, centroidY: number, across: number, along: number): MassProperties {
  return diagonal(volume, centroidY, [across, along, across]);
}

function diagonal(volume: number, centroidY: number, [xx, yy, zz]: Vector): MassProperties {
  return { volume, centroid: [0, centroidY, 0], inertia: [volume * xx, 0, 0, 0, volume * yy, 0, 0, 0, volume * zz] };
}

/** Points whose hull the core is. */
function corners({ kind, halfExtents: [x, y, z], vertices }: ShapeData): ArrayLike<number> {
  if (vertices.length > 0) return vertices;
  if (kind === CORE_BOX)
    return Array.from({ length: 24 }, (_, i) => (((i / 3) >> (i % 3)) & 1 ? [x, y, z][i % 3] : -[x, y, z][i % 3]));
  return kind === CORE_SEGMENT ? [0, -y, 0, 0, y, 0] : [0, 0, 0];
}

function roundedPolytope({ vertices, triangles, dimension }: HullSurface, radius: number): MassProperties {
  const count = vertices.length / 3;
  // Moments are taken about the mean of the corners: far from the origin, squares of coordinates would drown them.
  const mean = [0, 1, 2].map((k) => sum(count, (v) => vertices[3 * v + k]) / count);
  const corner = (v: number): Vector => [
    vertices[3 * v] - mean[0],
    vertices[3 * v + 1] - mean[1],
    vertices[3 * v + 2] - mean[2],
  ];
  const total = noMoments();
  /** Solid angles of the normal cones, and integrals of unit vectors over them. */
  const angles = new Float64Array(count).fill(dimension === 0 ? 4 * Math.PI : 2 * Math.PI);
  const cones = new Float64Array(3 * count);
  const normals: Vector[] = [];
  const centre = { weight: 0, first: [0, 0, 0] };

  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => corner(triangles[i + k]));
    const area = scaled(cross(minus(b, a), minus(c, a)), 0.5);
    const size = length(area);
    const n = scaled(area, 1 / size);
    normals.push(n);
    if (dimension === 3) addTetrahedron(total, a, b, c);
    addPrism(total, [a, b, c], size, n, radius);
    addScaled(centre.first, plus(plus(a, b), c), size / 3);
    centre.weight += size;
    [
      [a, b, c],
      [b, c, a],
      [c, a, b],
    ].forEach(([p, q, r], k) => (angles[triangles[i + k]] -= angleBetween(minus(q, p), minus(r, p))));
  }

  const addEdge = (from: number, to: number, n: Vector, angle: number): void => {
    const along = minus(corner(to), corner(from));
    const size = length(along);
    const direction = scaled(along, 1 / size);
    const middle = scaled(plus(corner(from), corner(to)), 0.5);
    addWedge(total, { middle, direction, size }, n, angle, radius);
    for (let k = 0; k < 3; k++) {
      cones[3 * from + k] -= 0.5 * angle * direction[k];
      cones[3 * to + k] += 0.5 * angle * direction[k];
    }
  };
  if (dimension === 1) {
    addEdge(0, 1, perpendicular(minus(corner(1), corner(0))), 2 * Math.PI);
  } else {
    forEachEdge(triangles, (from, to, left, right) => {
      const direction = minus(corner(to), corner(from));
      // The angle from the left triangle's normal to the right one's, about the edge in the left triangle's direction.
      const angle = Math.atan2(
        dot(cross(normals[left], normals[right]), scaled(direction, 1 / length(direction))),
        dot(normals[left], normals[right]),
      );
      // An angle of half a turn may come out with either sign.
      addEdge(from, to, normals[left], dimension === 2 && angle < -1 ? angle + 2 * Math.PI : angle);
    });
  }

  for (let v = 0; v < count; v++)
    addSector(total, corner(v), angles[v], [cones[3 * v], cones[3 * v + 1], cones[3 * v + 2]], radius);
  for (let k = 0; k < 3; k++) total.second[4 * k] += (4 * Math.PI * radius ** 5) / 15;
  return propertiesOf(total, centre.weight > 0 ? centre.first.map((value) => value / centre.weight) : [0, 0, 0], mean);
}

/** Of moments about `origin`, relative to which `middle` is the centroid if there is no volume. */
export function propertiesOf({ volume, first, second }: Moments, middle: number[], origin: number[]): MassProperties {
  if (!(volume > 0))
    return {
      volume: 0,
      centroid: toVector(middle.map((value, k) => value + origin[k])),
      inertia: Array<number>(9).fill(0),
    };
  const centroid = first.map((value) => value / volume);
  const inertia = Array<number>(9).fill(0);
  const about = (i: number, j: number): number => second[3 * i + j] - volume * centroid[i] * centroid[j];
  const trace = about(0, 0) + about(1, 1) + about(2, 2);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) inertia[3 * i + j] = (i === j ? trace : 0) - (about(i, j) + about(j, i)) / 2;
  return { volume, centroid: toVector(centroid.map((value, k) => value + origin[k])), inertia };
}

/** Adds the tetrahedron of the origin and three points. Its volume is positive if they are counter-clockwise from outside. */
export function addTetrahedron(total: Moments, a: Vector, b: Vector, c: Vector): void {
  const volume = dot(cross(b, c), a) / 6;
  const s = plus(plus(a, b), c);
  total.volume += volume;
  addScaled(total.first, s, volume / 4);
  for (const v of [a, b, c, s]) addProduct(total.second, v, v, volume / 20);
}

/** Adds the prism over a triangle of this area and normal. */
function addPrism(
  total: Moments,
  [a, b, c]: readonly [Vector, Vector, Vector],
  area: number,
  n: Vector,
  height: number,
): void {
  const s = plus(plus(a, b), c);
  total.volume += area * height;
  addScaled(total.first, s, (area * height) / 3);
  addScaled(total.first, n, (area * height * height) / 2);
  for (const v of [a, b, c, s]) addProduct(total.second, v, v, (area * height) / 12);
  addSymmetric(total.second, s, n, (area * height * height) / 6);
  addProduct(total.second, n, n, (area * height ** 3) / 3);
}

/** An edge: its middle, its unit direction and its length. */
interface Edge {
  middle: Vector;
  direction: Vector;
  size: number;
}

/**
 * Adds the cylinder sector around an edge: the points within the radius of the edge, from direction n on through an
 * angle about it.
 */
function addWedge(total: Moments, { middle, direction, size }: Edge, n: Vector, angle: number, radius: number): void {
  const m = cross(direction, n);
  const area = (angle * radius * radius) / 2;
  // The integrals of u = n cos φ + m sin φ and of u uᵀ.
  const unit = plus(scaled(n, Math.sin(angle)), scaled(m, 1 - Math.cos(angle)));
  const swing = scaled(unit, radius ** 3 / 3);
  total.volume += area * size;
  addScaled(total.first, middle, area * size);
  addScaled(total.first, swing, size);
  addProduct(total.second, middle, middle, area * size);
  addProduct(total.second, direction, direction, (area * size ** 3) / 12);
  addSymmetric(total.second, middle, swing, size);
  const fourth = (size * radius ** 4) / 4;
  addProduct(total.second, n, n, fourth * (angle / 2 + Math.sin(2 * angle) / 4));
  addProduct(total.second, m, m, fourth * (angle / 2 - Math.sin(2 * angle) / 4));
  addSymmetric(total.second, n, m, (fourth * Math.sin(angle) ** 2) / 2);
}

/**
 * Adds a sector of the ball around a corner, without its second moment about the corner. Its cone has this solid angle,
 * and `cone` is the integral of unit vectors over it.
 */
function addSector(total: Moments, corner: Vector, angle: number, cone: Vector, radius: number): void {
  const volume = (angle * radius ** 3) / 3;
  total.volume += volume;
  addScaled(total.first, corner, volume);
  addScaled(total.first, cone, radius ** 4 / 4);
  addProduct(total.second, corner, corner, volume);
  addSymmetric(total.second, corner, cone, radius ** 4 / 4);
}

/**
 * Calls `visit` once for each edge of a closed surface, with the triangle in which it runs from `from` to `to`, and the
 * triangle on the other side.
 */
function forEachEdge(
  triangles: Uint32Array,
  visit: (from: number, to: number, left: number, right: number) => void,
): void {
  // The two sides of a polygon may have several edges between the same corners. Each is matched with one that runs the
  // other way.
  const waiting = new Map<string, number[]>();
  for (let h = 0; h < triangles.length; h++) {
    const from = triangles[h];
    const to = triangles[h % 3 === 2 ? h - 2 : h + 1];
    const others = waiting.get(`${to} ${from}`);
    const other = others?.pop();
    if (other === undefined) {
      const key = `${from} ${to}`;
      waiting.set(key, [...(waiting.get(key) ?? []), h]);
    } else {
      visit(from, to, Math.floor(h / 3), Math.floor(other / 3));
    }
  }
}

function sum(count: number, value: (i: number) => number): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += value(i);
  return total;
}

function toVector([x, y, z]: number[]): [number, number, number] {
  return [x, y, z];
}

function plus(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function scaled(a: Vector, factor: number): Vector {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function length(a: Vector): number {
  return Math.hypot(a[0], a[1], a[2]);
}

function angleBetween(a: Vector, b: Vector): number {
  return Math.atan2(length(cross(a, b)), dot(a, b));
}

/** A unit vector perpendicular to another vector. */
function perpendicular(a: Vector): Vector {
  const size = a.map(Math.abs);
  const least = size.indexOf(Math.min(...size));
  const across = cross(a, [Number(least === 0), Number(least === 1), Number(least === 2)]);
  return scaled(across, 1 / length(across));
}

function addScaled(to: number[], a: Vector, factor: number): void {
  for (let k = 0; k < 3; k++) to[k] += a[k] * factor;
}

/** Adds a bᵀ · factor. */
function addProduct(to: number[], a: Vector, b: Vector, factor: number): void {
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) to[3 * i + j] += a[i] * b[j] * factor;
}

/** Adds (a bᵀ + b aᵀ) · factor. */
function addSymmetric(to: number[], a: Vector, b: Vector, factor: number): void {
  addProduct(to, a, b, factor);
  addProduct(to, b, a, factor);
}
