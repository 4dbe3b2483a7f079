import { invalidInput } from '../api/errors.ts';

/** Fields that shapes of both dimensions have. */
export interface ShapeBase {
  /** Kind of the core. */
  kind: number;
  /** Greatest distance of the shape from its body's origin, rounding included, at scale 1; 0 for a half-space. */
  boundingRadius: number;
  /** The shape's share of a pair's size: its bounding radius, or for a half-space the distance of its plane. */
  extent: number;
  /** Whether `'sat'` accepts it. */
  takesSat: boolean;
  /** Coordinates of the vertices of hulls and polygons. */
  vertices?: ArrayLike<number>;
}

/** Shapes by id. Ids of removed shapes are reused, lowest first. */
export interface ShapeTable {
  readonly shapes: (ShapeBase | undefined)[];
  /** How many ids below the highest are free. A search for one is needed only if this is above 0. */
  freeIds: number;
  /** Incremented with every change. */
  version: number;
  /** How many shapes have been removed so far. */
  removals: number;
  /** In a snapshot: ids below this are those of the caller's shapes. */
  readonly idCount?: number;
  /** In a snapshot: for each half-space with an offset, the id of the same half-space without. */
  readonly centredHalfspaces?: ReadonlyMap<number, number>;
}

/** A dimension's functions that make shapes. */
export interface ShapeMaker<Shape extends ShapeBase = ShapeBase, Description = unknown> {
  /** A ball of radius 1. Rays are this ball, scaled. */
  readonly ball: Shape;
  makeShape(description: Description, field?: string): Shape;
  /** A half-space without its offset. Undefined for shapes that have none. */
  centredHalfspace(shape: Shape | undefined): Shape | undefined;
}

export function createShapeTable(): ShapeTable {
  return { shapes: [], freeIds: 0, version: 0, removals: 0 };
}

/** The last snapshot of each table, for all queries until the table changes. */
const snapshots = new WeakMap<ShapeTable, ShapeTable>();

/**
 * A copy of the table for queries, since shapes may be removed before a query's turn. After the shapes come the
 * half-spaces without their offsets, and last the ball that represents rays.
 */
export function snapshotOf(table: ShapeTable, maker: ShapeMaker): ShapeTable {
  const known = snapshots.get(table);
  if (known?.version === table.version) return known;
  const made = makeSnapshot(table, maker);
  snapshots.set(table, made);
  return made;
}

function makeSnapshot(table: ShapeTable, { ball, centredHalfspace }: ShapeMaker): ShapeTable {
  const shapes = [...table.shapes];
  const centredHalfspaces = new Map<number, number>();
  table.shapes.forEach((shape, id) => {
    const centred = centredHalfspace(shape);
    if (centred) centredHalfspaces.set(id, shapes.push(centred) - 1);
  });
  return { ...table, shapes: [...shapes, ball], idCount: table.shapes.length, centredHalfspaces };
}

/** The id of the ball in a snapshot. */
export function ballOf({ shapes }: ShapeTable): number {
  return shapes.length - 1;
}

export function addShape(table: ShapeTable, description: unknown, maker: ShapeMaker): number {
  const data = maker.makeShape(description);
  const id = table.freeIds > 0 ? table.shapes.indexOf(undefined) : table.shapes.length;
  if (table.freeIds > 0) table.freeIds--;
  table.shapes[id] = data;
  table.version++;
  return id;
}

/** Throws `INVALID_INPUT` if no shape has the id. */
export function shapeOf(table: ShapeTable, id: number): ShapeBase {
  const shape = Number.isInteger(id) ? table.shapes[id] : undefined;
  return shape ?? invalidInput('id', id, 'the id of a shape that was added');
}

/** Gives an id another shape. */
export function replaceShape(table: ShapeTable, id: number, shape: ShapeBase): void {
  table.shapes[id] = shape;
  table.version++;
}

export function removeShape(table: ShapeTable, id: number): void {
  shapeOf(table, id);
  table.shapes[id] = undefined;
  table.freeIds++;
  table.version++;
  table.removals++;
}
