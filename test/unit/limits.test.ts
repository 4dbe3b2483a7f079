/** What a device's limits allow fits in its buffers. */

import type { Dimension } from '../../src/request/dimension.ts';
import { describe, expect, test } from 'vitest';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { limitsOf } from '../../src/gpu/limits.ts';
import { addShape, createShapeTable, snapshotOf } from '../../src/shapes/shape-table.ts';

const HALFSPACE = { type: 'halfspace', normal: [0, 1, 0], offset: 2 };
const CIRCLE = { type: 'circle', radius: 0.5 };

describe.each<[name: string, space: Dimension, description: unknown, records: number]>([
  ['half-spaces with offsets', dimension3, HALFSPACE, 2],
  ['circles in the plane', dimension2, CIRCLE, 1],
])('%s', (_, dimension, description, records) => {
  test.each([100, 101, 1000])('of a binding of %i records `maxShapes` have room, and no more', (room) => {
    const bytes = 4 * dimension.shapeWords * room;
    const limits = { maxStorageBufferBindingSize: bytes, maxBufferSize: 2 * bytes } as GPUSupportedLimits;
    const { maxShapes } = limitsOf({ limits }, dimension);
    const table = createShapeTable();
    for (let i = 0; i < maxShapes; i++) addShape(table, description, dimension);
    const packed = dimension.packShapes(snapshotOf(table, dimension).shapes).shapes.byteLength;
    expect(packed).toBeLessThanOrEqual(bytes);
    expect(packed + records * 4 * dimension.shapeWords).toBeGreaterThan(bytes);
  });
});
