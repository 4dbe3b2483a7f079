import { dimension3 } from '../../../src/dimension/dim3.ts';
import { addShape, createShapeTable, type ShapeTable } from '../../../src/shapes/shape-table.ts';

/** A table with one box of edge 1. */
export function crates(): ShapeTable {
  const table = createShapeTable();
  addShape(table, { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, dimension3);
  return table;
}
