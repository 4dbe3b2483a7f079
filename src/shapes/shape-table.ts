import { invalidInput } from '../errors.ts';
import type { ShapeBase, ShapeTable, Space } from '../space/space.ts';

export function createShapeTable(): ShapeTable {
  return { shapes: [], freeIds: 0, version: 0 };
}

/**
 * What a query has: the shapes as they are now, as some may be removed before its turn comes; behind them the
 * half-spaces without their offsets; and last the ball that rays are.
 */
export function snapshotOf(table: ShapeTable, { ball, planeOf }: Space): ShapeTable {
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

export function addShape(table: ShapeTable, description: unknown, space: Space): number {
  const data = space.makeShape(description as never);
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
