import { invalidInput } from '../errors.ts';
import type { ShapeDescription } from './descriptions.ts';
import { makeShapeData, type ShapeData } from './shape-data.ts';

/** Shapes by id. Ids of removed shapes are given out again, lowest first. */
export interface ShapeTable {
  readonly shapes: (ShapeData | undefined)[];
  /** Grows with every change. */
  version: number;
}

export function createShapeTable(): ShapeTable {
  return { shapes: [], version: 0 };
}

export function addShape(table: ShapeTable, description: ShapeDescription): number {
  const data = makeShapeData(description);
  const free = table.shapes.indexOf(undefined);
  const id = free < 0 ? table.shapes.length : free;
  table.shapes[id] = data;
  table.version++;
  return id;
}

export function removeShape(table: ShapeTable, id: number): void {
  if (!table.shapes[id]) invalidInput('id', id, 'the id of a shape that was added');
  table.shapes[id] = undefined;
  table.version++;
}
