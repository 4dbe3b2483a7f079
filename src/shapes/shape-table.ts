import { invalidInput } from '../errors.ts';
import type { ShapeDescription } from './descriptions.ts';
import { makeShapeData, type ShapeData } from './shape-data.ts';

/** Shapes by id. Ids of removed shapes are given out again, lowest first. */
export interface ShapeTable {
  readonly shapes: (ShapeData | undefined)[];
  /** How many ids below the highest are free: only then one has to be looked for. */
  freeIds: number;
  /** Grows with every change. */
  version: number;
}

export function createShapeTable(): ShapeTable {
  return { shapes: [], freeIds: 0, version: 0 };
}

/** What rays are, scaled by their radii. */
const BALL = makeShapeData({ type: 'sphere', radius: 1 });

/** What a query has: the shapes as they are now, as some may be removed before its turn comes, and behind them the ball that rays are. */
export function snapshotOf(table: ShapeTable): ShapeTable {
  return { ...table, shapes: [...table.shapes, BALL] };
}

/** The id of that ball. */
export function ballOf({ shapes }: ShapeTable): number {
  return shapes.length - 1;
}

export function addShape(table: ShapeTable, description: ShapeDescription): number {
  const data = makeShapeData(description);
  const id = table.freeIds > 0 ? table.shapes.indexOf(undefined) : table.shapes.length;
  if (table.freeIds > 0) table.freeIds--;
  table.shapes[id] = data;
  table.version++;
  return id;
}

export function removeShape(table: ShapeTable, id: number): void {
  if (!table.shapes[id]) invalidInput('id', id, 'the id of a shape that was added');
  table.shapes[id] = undefined;
  table.freeIds++;
  table.version++;
}
