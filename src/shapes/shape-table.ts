import { invalidInput } from '../api/errors.ts';

/** What every shape has, of either dimension. */
export interface ShapeBase {
  /** Of its core. */
  kind: number;
  /** Greatest distance of the shape from its body's origin, rounding and no scale included; 0 of a half-space. */
  boundingRadius: number;
  /** What it adds to the size of a pair: its bounding radius, of a half-space how far its plane is. */
  reach: number;
  /** Whether `'sat'` takes it. */
  takesSat: boolean;
}

/** Shapes by id. Ids of removed shapes are given out again, lowest first. */
export interface ShapeTable {
  readonly shapes: (ShapeBase | undefined)[];
  /** How many ids below the highest are free: only then one has to be looked for. */
  freeIds: number;
  /** Grows with every change. */
  version: number;
  /** Of a snapshot: for each half-space with an offset the id of the same without. */
  readonly planes?: ReadonlyMap<number, number>;
}

/** How shapes of a dimension are made. */
export interface ShapeMaker<Shape extends ShapeBase = ShapeBase, Description = unknown> {
  /** A ball of radius 1, which rays are, scaled. */
  readonly ball: Shape;
  makeShape(description: Description, field?: string): Shape;
  /** A half-space without its offset; undefined for shapes that have none. */
  planeOf(shape: Shape | undefined): Shape | undefined;
}

export function createShapeTable(): ShapeTable {
  return { shapes: [], freeIds: 0, version: 0 };
}

/**
 * What a query has: the shapes as they are now, as some may be removed before its turn comes; behind them the
 * half-spaces without their offsets; and last the ball that rays are.
 */
export function snapshotOf(table: ShapeTable, { ball, planeOf }: ShapeMaker): ShapeTable {
  const shapes = [...table.shapes];
  const planes = new Map<number, number>();
  table.shapes.forEach((shape, id) => {
    const plane = planeOf(shape);
    if (plane) planes.set(id, shapes.push(plane) - 1);
  });
  return { ...table, shapes: [...shapes, ball], planes };
}

/** The id of that ball. */
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

/** Throws `INVALID_INPUT` where no shape has the id. */
export function shapeOf(table: ShapeTable, id: number): ShapeBase {
  const shape = Number.isInteger(id) ? table.shapes[id] : undefined;
  return shape ?? invalidInput('id', id, 'the id of a shape that was added');
}

export function removeShape(table: ShapeTable, id: number): void {
  shapeOf(table, id);
  table.shapes[id] = undefined;
  table.freeIds++;
  table.version++;
}
