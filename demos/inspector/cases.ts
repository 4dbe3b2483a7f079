/// <reference types="vite/client" />
/**
 * Pairs to begin with: one per algorithm in 3-D and in 2-D, captures that are tests of the package, and pairs that other
 * engines answer wrongly.
 */

import type { ShapeDescription } from 'narrowphase';
import { contact, createShape } from 'narrowphase/cpu';
import differential from '../../verification/fixtures/differential.json' with { type: 'json' };

export interface Case {
  /** In the address. */
  name: string;
  title: string;
  group: string;
  /** Not checked yet. */
  capture: () => unknown;
  /** Why it is in the list, and what another engine answered. */
  note?: string;
  other?: { engine: string; distance: number | null; overlaps: boolean };
}

const REGRESSIONS = import.meta.glob<unknown>('../../verification/captures/*.json', { eager: true, import: 'default' });

const EXAMPLES = import.meta.glob<unknown>('./examples/*.json', { eager: true, import: 'default' });

const SPACE_EXAMPLES = {
  'gjk-hulls': 'GJK: the gap of two hulls',
  'arcs-hulls': 'Gauss arcs: the depth of two hulls',
  'epa-cylinder-ellipsoid': 'EPA: the depth of curved shapes',
  'sat-boxes': 'SAT: two boxes',
  'mpr-hulls': 'MPR: two hulls',
  'manifold-boxes': 'Clipping: the manifold of two boxes',
  'cast-capsule-hull': 'Cast: a capsule flies at a hull',
  'velocity-epa-hulls': 'Velocity EPA: a hull flies at a hull',
  'swept-sat-boxes': 'Swept SAT: a box flies at a box',
  'advancement-turning': 'Conservative advancement: turning boxes',
};

const PLANAR_EXAMPLES = {
  'planar-gjk-parallel-edges': 'GJK: nearly parallel edges',
  'planar-epa-rounded': 'EPA: rounded polygons deep in each other',
  'planar-sat-polygons': 'SAT: two polygons',
  'planar-mpr-polygons': 'MPR: two polygons',
  'planar-manifold-parallel-edges': 'Clipping: nearly parallel edges',
  'planar-velocity-epa-polygons': 'Velocity EPA: a polygon flies at a polygon',
  'planar-advancement-turning': 'Conservative advancement: both turn',
};

const ENGINES: Record<string, string> = { rapier: 'Rapier', jolt: 'Jolt' };

export const CASES: readonly Case[] = [
  ...examples('Algorithms', SPACE_EXAMPLES),
  ...examples('Algorithms in 2-D', PLANAR_EXAMPLES),
  ...regressions(),
  ...disagreements(),
];

function examples(group: string, titles: Record<string, string>): Case[] {
  return Object.entries(titles).map(([name, title]) => ({
    name,
    title,
    group,
    capture: () => EXAMPLES[`./examples/${name}.json`],
  }));
}

function regressions(): Case[] {
  return Object.entries(REGRESSIONS).map(([path, capture]) => {
    const name = path.replace(/^.*\//, '').replace('.json', '');
    return { name, title: name, group: 'Issues of other projects', capture: () => capture };
  });
}

function disagreements(): Case[] {
  return differential.cases.map(({ name, cause, peer, subject, a, b, other }) => {
    const engine = ENGINES[peer];
    const title = `${a.shape.type} and ${b.shape.type}: ${subject}`;
    const note = `${cause}.`;
    return {
      name,
      title,
      group: `${engine} is wrong`,
      capture: () => captureOf(a, b),
      note,
      other: { engine, ...other },
    };
  });
}

interface Body {
  shape: object;
  position: number[];
  quaternion: number[];
}

/** The campaign keeps shapes and poses. The answer is the reference's. */
function captureOf(a: Body, b: Body): unknown {
  const [shapeA, shapeB] = [a, b].map(({ shape }) => createShape(shape as ShapeDescription));
  const poses = [a, b].map(({ position, quaternion }) => ({ position, quaternion }));
  const { hit: _, ...result } = contact(shapeA, poses[0], shapeB, poses[1], { margin: Infinity });
  return {
    version: 1,
    dimension: 3,
    query: 'contacts',
    algorithm: 'auto',
    shapes: [a.shape, b.shape],
    poses,
    float64Positions: false,
    options: { margin: 'Infinity', bounds: true },
    result: { pair: 0, ...result },
    backend: 'cpu',
    adapter: { vendor: '', architecture: '', description: 'CPU reference, double precision', isSoftware: true },
  };
}
