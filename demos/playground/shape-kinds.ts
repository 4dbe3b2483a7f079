/** The shapes that the page offers, and the numbers that each one has. */

import type { PlanarConvexDescription, ShapeDescription } from 'narrowphase';
import type { AnyShape } from './scene.ts';

/** A number of a description. */
export interface ShapeField {
  label: string;
  name: string;
  /** Place in a list of numbers. */
  index?: number;
  least: number;
  most: number;
}

export interface ShapeKind {
  type: AnyShape['type'];
  name: string;
  /** The description when it is first chosen. */
  initial: AnyShape;
  fields: readonly ShapeField[];
  /** Whether it is given by points. */
  hasPoints?: boolean;
}

const MOST = 2;
const of = (label: string, name: string, index?: number): ShapeField => ({ label, name, index, least: 0, most: MOST });
const list = (name: string, ...labels: string[]): ShapeField[] => labels.map((label, i) => of(label, name, i));
const ROUNDING: ShapeField = { label: 'Rounding', name: 'radius', least: 0, most: 0.5 };
const TALL = [of('Half height', 'halfHeight'), of('Radius', 'radius')];

/** A small rock. */
const ROCK = [
  [0.62, 0.1, 0.2],
  [0.3, 0.55, -0.1],
  [-0.35, 0.5, 0.25],
  [-0.65, -0.05, -0.15],
  [-0.3, -0.5, 0.3],
  [0.35, -0.45, 0.25],
  [0.2, 0.05, 0.62],
  [-0.15, 0.2, 0.55],
  [0.1, -0.15, -0.6],
  [0.25, -0.45, -0.35],
  [-0.3, 0.4, -0.4],
].flat();

const SPACE: { initial: ShapeDescription; name: string; fields: ShapeField[]; hasPoints?: boolean }[] = [
  { initial: { type: 'sphere', radius: 0.6 }, name: 'Sphere', fields: [of('Radius', 'radius')] },
  {
    initial: { type: 'box', halfExtents: [0.6, 0.4, 0.5] },
    name: 'Box',
    fields: [...list('halfExtents', 'Half width x', 'Half height y', 'Half depth z'), ROUNDING],
  },
  { initial: { type: 'capsule', halfHeight: 0.5, radius: 0.3 }, name: 'Capsule', fields: TALL },
  { initial: { type: 'cylinder', halfHeight: 0.5, radius: 0.45 }, name: 'Cylinder', fields: TALL },
  { initial: { type: 'cone', halfHeight: 0.6, radius: 0.5 }, name: 'Cone', fields: TALL },
  {
    initial: { type: 'ellipsoid', radii: [0.8, 0.4, 0.5] },
    name: 'Ellipsoid',
    fields: list('radii', 'Half axis x', 'Half axis y', 'Half axis z'),
  },
  {
    initial: { type: 'triangle', points: [-0.7, -0.4, 0, 0.7, -0.4, 0, 0, 0.8, 0] },
    name: 'Triangle',
    fields: [ROUNDING],
    hasPoints: true,
  },
  { initial: { type: 'hull', points: ROCK }, name: 'Hull of points', fields: [ROUNDING], hasPoints: true },
];

const PLANE: { initial: PlanarConvexDescription; name: string; fields: ShapeField[]; hasPoints?: boolean }[] = [
  { initial: { type: 'circle', radius: 0.6 }, name: 'Circle', fields: [of('Radius', 'radius')] },
  {
    initial: { type: 'segment', points: [-0.7, 0, 0.7, 0] },
    name: 'Segment',
    fields: [
      ...list('points', 'Start x', 'Start y', 'End x', 'End y').map((field) => ({ ...field, least: -MOST })),
      ROUNDING,
    ],
  },
  { initial: { type: 'capsule', halfHeight: 0.5, radius: 0.3 }, name: 'Capsule', fields: TALL },
  {
    initial: { type: 'rectangle', halfExtents: [0.7, 0.45] },
    name: 'Rectangle',
    fields: [...list('halfExtents', 'Half width x', 'Half height y'), ROUNDING],
  },
  {
    initial: {
      type: 'polygon',
      points: [0.75, 0, 0.3, 0.65, -0.45, 0.6, -0.75, -0.1, -0.2, -0.65, 0.5, -0.5],
      convexify: true,
    },
    name: 'Polygon of points',
    fields: [ROUNDING],
    hasPoints: true,
  },
];

const kinds = (all: typeof SPACE | typeof PLANE): ShapeKind[] =>
  all.map((kind) => ({ ...kind, type: kind.initial.type }));

export const SHAPE_KINDS: Record<2 | 3, readonly ShapeKind[]> = { 2: kinds(PLANE), 3: kinds(SPACE) };

/** Shapes that only a dropped model has. */
const MODEL_KINDS: Partial<Record<AnyShape['type'], string>> = {
  mesh: 'Mesh of a model',
  compound: 'Parts of a model',
};

/** The kind of a shape; one without fields for shapes that the page does not offer. */
export function kindOf(shape: AnyShape, dimension: 2 | 3): ShapeKind {
  return (
    SHAPE_KINDS[dimension].find(({ type }) => type === shape.type) ?? {
      type: shape.type,
      name: MODEL_KINDS[shape.type] ?? shape.type,
      initial: shape,
      fields: [],
    }
  );
}

type Fields = Record<string, number | ArrayLike<number> | undefined>;

export function fieldOf(shape: AnyShape, { name, index }: ShapeField): number {
  const value = (shape as unknown as Fields)[name];
  return typeof value === 'object' ? value[index!] : (value ?? 0);
}

/** The shape with one number changed. */
export function withField(shape: AnyShape, { name, index }: ShapeField, to: number): AnyShape {
  const value = (shape as unknown as Fields)[name];
  const next = typeof value === 'object' ? Array.from(value, (each, i) => (i === index ? to : each)) : to;
  return { ...shape, [name]: next } as AnyShape;
}
