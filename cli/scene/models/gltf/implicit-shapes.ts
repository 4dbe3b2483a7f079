/**
 * Shapes of KHR_implicit_shapes at their nodes: what the extension calls box, sphere, capsule, cylinder and plane, as
 * shapes of testers. Sizes that the file leaves out have the defaults of the extension's schema. A node's scale
 * multiplies the sizes.
 */

import { invalidInput } from '../../../../src/api/errors.ts';
import type { ShapeDescription } from '../../../../src/api/shapes.ts';
import { checkObject, type JsonObject } from '../../../../src/util/json-fields.ts';
import type { Notes } from '../notes.ts';
import { refuse } from '../refusal.ts';
import {
  applyMatrix,
  bakeKey,
  diagonalOf,
  multiply,
  type Matrix,
  type Placement,
  type Quaternion,
  type Triple,
} from '../transform.ts';
import { numbersOf, type Gltf } from './document.ts';

/** A shape and where it is; the placement has no bake. */
export interface PlacedShape {
  /** Equal for equal descriptions. */
  key: string;
  description: ShapeDescription;
  placement: Placement;
}

/** Corners of the circles that stand for a rim. Inside a circle of radius 1, the polygon is at most 7.6e-5 off. */
const RIM_CORNERS = 256;
const RIM_NOTE =
  'cylinders with unequal ends or scales are hulls with 256 corners per rim, up to 0.0076 % of the radius inside';

/** A turn that swaps top and bottom. */
const UPSIDE_DOWN: Quaternion = [1, 0, 0, 0];

/** Factors along x, y, z up to this share of each other are equal: they come from rounded matrices. */
const ROUNDING = 2e-6;

export function placedShape(gltf: Gltf, index: number, placement: Placement, label: string, notes: Notes): PlacedShape {
  const { type, ...shape } = gltf.implicitShapes[index];
  const { bake, ...unbaked } = placement;
  const given = shape[type as string];
  const sizes = given === undefined ? {} : checkObject(given, `its ${String(type)}`);
  const factors = diagonalOf(bake)?.map(Math.abs) as Triple | undefined;
  const made = describe(type, sizes, factors, bake);
  if (made.isApproximate) notes.add(RIM_NOTE, label);
  const rotation = made.isUpsideDown ? multiply(unbaked.rotation, UPSIDE_DOWN) : unbaked.rotation;
  const description = made.description;
  return { key: `shape ${index} ${bakeKey(bake)}`, description, placement: { ...unbaked, rotation } };
}

interface Described {
  description: ShapeDescription;
  isUpsideDown?: boolean;
  isApproximate?: boolean;
}

/** `factors`: sizes along the axes; undefined if the bake shears. */
function describe(type: unknown, sizes: JsonObject, factors: Triple | undefined, bake: Matrix | undefined): Described {
  switch (type) {
    case 'box': {
      const [x, y, z] = sizes.size === undefined ? [1, 1, 1] : numbersOf(sizes.size, 'its box.size', 3);
      [x, y, z].forEach((size, i) => expectPositive(size, `its box.size[${i}]`));
      return { description: boxOf([x / 2, y / 2, z / 2], factors, bake) };
    }
    case 'sphere': {
      const radius = sizeOf(sizes, 'sphere', 'radius', 0.5);
      if (!factors) refuse('a sphere is sheared by the scales of the nodes above, expected scales along its axes');
      if (areEqual(factors)) return { description: { type: 'sphere', radius: radius * factors[0] } };
      return { description: { type: 'ellipsoid', radii: factors.map((factor) => factor * radius) } };
    }
    case 'capsule':
      return { description: capsuleOf(sizes, factors) };
    case 'cylinder':
      return cylinderOf(sizes, factors, bake);
    case 'plane':
      return { description: planeOf(sizes, factors, bake) };
    default:
      return refuse(`its shape has the type ${JSON.stringify(type)}, expected box, sphere, capsule, cylinder or plane`);
  }
}

function boxOf(half: Triple, factors: Triple | undefined, bake: Matrix | undefined): ShapeDescription {
  if (factors) return { type: 'box', halfExtents: half.map((size, i) => size * factors[i]) };
  const signs = [-1, 1];
  const corners = signs.flatMap((x) =>
    signs.flatMap((y) => signs.map((z): Triple => [x * half[0], y * half[1], z * half[2]])),
  );
  return hullOf(corners, bake);
}

function capsuleOf(sizes: JsonObject, factors: Triple | undefined): ShapeDescription {
  const height = sizeOf(sizes, 'capsule', 'height', 0.5);
  const [bottom, top] = [radiusOf(sizes, 'capsule', 'radiusBottom'), radiusOf(sizes, 'capsule', 'radiusTop')];
  if (bottom !== top) refuse(`a capsule has the radii ${bottom} and ${top}, expected equal ones`);
  expectPositive(bottom, 'its capsule.radiusBottom');
  if (!factors || !areEqual(factors))
    refuse('a capsule is scaled differently along its axes, expected one scale factor');
  return { type: 'capsule', halfHeight: (height / 2) * factors[0], radius: bottom * factors[0] };
}

function cylinderOf(sizes: JsonObject, factors: Triple | undefined, bake: Matrix | undefined): Described {
  const height = sizeOf(sizes, 'cylinder', 'height', 0.5) / 2;
  const [bottom, top] = [radiusOf(sizes, 'cylinder', 'radiusBottom'), radiusOf(sizes, 'cylinder', 'radiusTop')];
  const radius = Math.max(bottom, top);
  expectPositive(radius, 'the larger radius of its cylinder');
  if (factors && areEqual([factors[0], factors[0], factors[2]]) && (bottom === top || bottom === 0 || top === 0)) {
    const type = bottom === top ? 'cylinder' : 'cone';
    const description = { type, halfHeight: height * factors[1], radius: radius * factors[0] } as const;
    return { description, isUpsideDown: bottom === 0 };
  }
  return { description: hullOf([...rimOf(-height, bottom), ...rimOf(height, top)], bake), isApproximate: true };
}

/** Points of a circle around the y axis, or the one point of a circle of radius 0. */
function rimOf(y: number, radius: number): Triple[] {
  return Array.from({ length: radius === 0 ? 1 : RIM_CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * i) / RIM_CORNERS;
    return [radius * Math.cos(angle), y, radius * Math.sin(angle)];
  });
}

/** A plane without end is the half-space below it, one with sizes a flat box. */
function planeOf(sizes: JsonObject, factors: Triple | undefined, bake: Matrix | undefined): ShapeDescription {
  const { sizeX, sizeZ, doubleSided = false } = sizes;
  if (sizeX !== undefined && sizeZ !== undefined) {
    return boxOf([sizeOf(sizes, 'plane', 'sizeX', 1) / 2, 0, sizeOf(sizes, 'plane', 'sizeZ', 1) / 2], factors, bake);
  }
  if (sizeX !== undefined || sizeZ !== undefined)
    refuse('a plane is endless along one axis only, expected both sizes or none');
  if (doubleSided !== false) refuse('a plane is endless and has two sides, expected one side');
  if (!factors) refuse('a plane is sheared by the scales of the nodes above, expected scales along its axes');
  return { type: 'halfspace', normal: [0, 1, 0], offset: 0 };
}

function hullOf(points: Triple[], bake: Matrix | undefined): ShapeDescription {
  return {
    type: 'hull',
    points: Float32Array.from(points.flatMap((point) => (bake ? applyMatrix(bake, point) : point))),
  };
}

function areEqual(factors: Triple): boolean {
  return Math.max(...factors) - Math.min(...factors) <= ROUNDING * Math.max(...factors);
}

function sizeOf(sizes: JsonObject, type: string, name: string, otherwise: number): number {
  const { [name]: size = otherwise } = sizes;
  return expectPositive(size, `its ${type}.${name}`);
}

function radiusOf(sizes: JsonObject, type: string, name: string): number {
  const { [name]: radius = 0.25 } = sizes;
  if (!(Number.isFinite(radius) && (radius as number) >= 0))
    invalidInput(`its ${type}.${name}`, radius, 'a number of at least 0');
  return radius as number;
}

function expectPositive(size: unknown, path: string): number {
  if (!(Number.isFinite(size) && (size as number) > 0)) invalidInput(path, size, 'a number above 0');
  return size as number;
}
