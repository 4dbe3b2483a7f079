/** Cameras of BCF viewpoints. */

import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import type { Clash } from '../../../cli/clash/clash-report.ts';
import { viewpointOf } from '../../../cli/clash/formats/bcf/viewpoint.ts';
import { createRandom, uniform, unitVector } from '../../../verification/families/random.ts';

const GUID = '01234567-89ab-5cde-8f01-23456789abcd';

type Vector = Record<'X' | 'Y' | 'Z', number>;

function flat({ X, Y, Z }: Vector): number[] {
  return [X, Y, Z];
}

function cameraOf(clash: Clash, up: 'y' | 'z'): Record<'at' | 'direction' | 'upwards', number[]> {
  const xml = new XMLParser().parse(viewpointOf(clash, GUID, '3.0', up)) as {
    VisualizationInfo: { PerspectiveCamera: Record<string, Vector> };
  };
  const { CameraViewPoint, CameraDirection, CameraUpVector } = xml.VisualizationInfo.PerspectiveCamera;
  return { at: flat(CameraViewPoint), direction: flat(CameraDirection), upwards: flat(CameraUpVector) };
}

function clashAt(point: number[], normal: number[], distance: number, size: number): Clash {
  const bodies = { pair: 0, a: 'a', b: 'b', bodyA: 0, bodyB: 1 };
  return { ...bodies, category: 'overlap', verdict: 'fail', source: 'exact', point, normal, distance, size };
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, k) => sum + x * b[k], 0);

test.each(['y', 'z'] as const)('a camera looks at the clash across the normal, with %s up', (up) => {
  const random = createRandom(3);
  const axes = [0, 1, 2].flatMap((k) => [1, -1].map((sign) => [0, 1, 2].map((j) => (j === k ? sign : 0))));
  for (let n = 0; n < 200; n++) {
    const normal = n < axes.length ? axes[n] : unitVector(random, [0, 0, 0]);
    const point = [0, 1, 2].map(() => uniform(random, -50, 50));
    const clash = clashAt(point, normal, uniform(random, -1, 0), n % 7 === 0 ? 0 : uniform(random, 0, 10));
    const label = `seed 3, clash ${n}: normal ${normal.join()}`;
    const { at, direction, upwards } = cameraOf(clash, up);
    expect(Math.hypot(...direction), label).toBeCloseTo(1, 9);
    expect(Math.hypot(...upwards), label).toBeCloseTo(1, 9);
    expect(dot(direction, upwards), label).toBeCloseTo(0, 9);
    // In BCF z is up.
    const upright = ([x, y, z]: readonly number[]): number[] => (up === 'z' ? [x, y, z] : [x, -z, y]);
    expect(dot(direction, upright(normal)), label).toBeCloseTo(0, 9);
    if (Math.abs(direction[2]) < 0.99) expect(upwards[2], label).toBeGreaterThan(0);
    const toClash = upright(point).map((x, k) => x - at[k]);
    const away = Math.hypot(...toClash);
    expect(away, label).toBeGreaterThan(0);
    expect(dot(toClash, direction) / away, label).toBeCloseTo(1, 6);
  }
});

test('an IFC GlobalId in a name is the GUID of the component', () => {
  const clash = {
    ...clashAt([0, 0, 0], [1, 0, 0], -1, 1),
    a: 'wall/2O2Fr$t4X7Zf8NOew3FNr2',
    b: '2O2Fr$t4X7Zf8NOew3FNr23',
  };
  const xml = viewpointOf(clash, GUID, '2.1', 'z');
  expect(xml).toContain('<Component IfcGuid="2O2Fr$t4X7Zf8NOew3FNr2">');
  expect(xml.match(/IfcGuid=/g)!.length).toBe(2);
});
