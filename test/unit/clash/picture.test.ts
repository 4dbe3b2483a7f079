/** Pictures of clashes in HTML reports. */

import { expect, test } from 'vitest';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import type { Clash } from '../../../cli/clash/clash-report.ts';
import { picturesOf } from '../../../cli/clash/formats/html/picture.ts';
import { createBodyReader } from '../../../cli/clash/solids/body.ts';
import { withHulls } from '../../../cli/clash/solids/convex-meshes.ts';
import { sceneOf } from '../../helpers/clashes.ts';

const plate: ShapeDescription = { type: 'box', halfExtents: [50, 50, 0.1] };

/** The pictures of a pipe along y that lies on a plate, `distance` above it. */
function picturesOfPipe(halfHeight: number, distance: number): string[] {
  const pipe: ShapeDescription = { type: 'cylinder', halfHeight, radius: 0.125 };
  const bodyOf = createBodyReader(
    withHulls(sceneOf([{ shape: plate }, { shape: pipe, position: [0, 0, 0.225 + distance] }])),
  );
  const clash: Clash = {
    pair: 0,
    a: 'plate',
    b: 'pipe',
    bodyA: 0,
    bodyB: 1,
    category: distance < 0 ? 'overlap' : 'touching',
    verdict: 'fail',
    source: 'exact',
    point: [0, 0, 0.1 + distance / 2],
    normal: [0, 0, 1],
    distance,
    size: Math.hypot(halfHeight, 0.125),
  };
  return picturesOf(clash, [bodyOf(0), bodyOf(1)], 'z');
}

/** Width and height of the dashed outline, which is B's, in pixels. */
function sizeOfB(picture: string): number[] {
  const [, path] = /<path d="([^"]*)"[^>]*stroke-dasharray/.exec(picture)!;
  const numbers = path.match(/-?[\d.]+/g)!.map(Number);
  return [0, 1].map((axis) => {
    const values = numbers.filter((_, i) => i % 2 === axis);
    return Math.max(...values) - Math.min(...values);
  });
}

test.each([1, 10, 40])('the overview shows the section of a pipe at the same size, half height %d', (halfHeight) => {
  const [width, height] = sizeOfB(picturesOfPipe(halfHeight, -0.05)[0]);
  // The picture is 180 pixels high.
  expect(width).toBeCloseTo(180 / 1.75, 0);
  expect(height).toBeCloseTo(180 / 1.75, 0);
});

test('a short distance gets a close-up, one that is only rounding does not', () => {
  expect(picturesOfPipe(1, -0.001)).toHaveLength(2);
  expect(picturesOfPipe(1, -1e-8)).toHaveLength(1);
  expect(picturesOfPipe(1, 0)).toHaveLength(1);
});
