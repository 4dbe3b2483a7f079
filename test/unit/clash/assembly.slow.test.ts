/** An assembly of many parts with known clashes. */

import { expect, test } from 'vitest';
import { sceneOfJson } from '../../../cli/scene/scene.ts';
import { ASSEMBLY_LIMITS, CLASHES_PER_CATEGORY, makeClashAssembly } from '../../helpers/clash-assembly.ts';
import { atNight } from '../../helpers/night.ts';
import { checkScene, clashesOf } from '../../helpers/clashes.ts';
import { CATEGORIES } from '../../../cli/clash/categories.ts';

const PARTS = atNight(500, 2000);
const PER_CATEGORY = atNight(12, CLASHES_PER_CATEGORY);

function keyOf({ a, b }: { a: string; b: string }): string {
  return `${a} and ${b}`;
}

test.each(atNight([7], [7, 8]))(
  'the known clashes are found, with their categories and depths, and no others (seed %i)',
  async (seed) => {
    const { scene, expected } = makeClashAssembly(seed, PARTS, PER_CATEGORY);
    expect(scene.bodies.length).toBe(PARTS);
    const report = await checkScene(sceneOfJson(scene, 'assembly'), ASSEMBLY_LIMITS);
    const found = await clashesOf(report);
    expect(found.map(keyOf).sort()).toEqual(expected.map(keyOf).sort());
    const known = new Map(expected.map((clash) => [keyOf(clash), clash]));
    for (const clash of found) {
      const { category, distance, inside } = known.get(keyOf(clash))!;
      const label = `seed ${seed}: ${JSON.stringify(clash)}`;
      expect(clash, label).toMatchObject({ category, source: 'exact' });
      expect(clash.inside, label).toBe(inside);
      expect(Math.abs(clash.distance - distance), label).toBeLessThan(2e-6);
    }
    for (const category of CATEGORIES) {
      expect(report.header.categories[category]).toBeGreaterThanOrEqual(PER_CATEGORY);
    }
    expect(report.header.unanswered).toEqual([]);
  },
);
