/**
 * The crowd of docs/guides/crowds.md, step by step: nobody gets through a wall, no two agents overlap after a step, and nobody stands
 * for long.
 */

import { transformWithOxc } from 'vite';
import { describe, expect, test } from 'vitest';
import { planar } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import type { PlanarTester, TesterOptions } from '../../src/api/types.ts';
import { readmeSample } from '../setup/readme.ts';
import { atNight } from '../helpers/night.ts';

const STEPS = atNight(100, 300);
/** Steps in which each agent has to have come at least so far along its path. */
const WINDOW = 100;
const LEAST_PATH = 2;
/** What two agents, or an agent and a wall, may overlap by at the end of a step. */
const SLOP = 0.01;
const RADIUS = 0.25;
const HALF_WALL = [6, 0.05];

interface Crowd {
  bodies: { positions: Float32Array; angles: Float32Array; scales: Float32Array };
  step(): Promise<void>;
  tester: PlanarTester;
  AGENTS: number;
}

/** What the sample runs its steps with. */
const IMPORT = /^import .* from 'narrowphase\/node';.*\n/;
const LOOP = /^for \(let frame = 0; frame < \d+; frame\+\+\) await step\(\);\n[^]*$/m;

/** The sample up to its first step. */
async function makeCrowd(backend: TesterOptions['backend']): Promise<Crowd> {
  const text = readmeSample('crowd');
  expect(text).toMatch(IMPORT);
  expect(text).toMatch(LOOP);
  const body = text.replace(IMPORT, '').replace(LOOP, '');
  const { code } = await transformWithOxc(
    `async function make(createTester) {\n${body}\nreturn { bodies, step, tester, AGENTS };\n}`,
    'crowd.ts',
  );
  const make = new Function(`${code}\nreturn make;`)() as (
    create: (options: TesterOptions & { dimension: 2 }) => Promise<PlanarTester>,
  ) => Promise<Crowd>;
  return make((options) => createTester({ ...options, backend }));
}

interface Walk {
  /** Deepest overlap at the end of a step, of two agents and of an agent and a wall. */
  agents: number;
  walls: number;
  /** Agents that got to the other side of a wall. */
  crossed: string[];
  /** Shortest path of an agent in a window. */
  shortest: number;
}

async function walk({ bodies, step, AGENTS: count }: Crowd): Promise<Walk> {
  const { positions, angles, scales } = bodies;
  const [circle, wall] = [
    planar.createShape({ type: 'circle', radius: RADIUS }),
    planar.createShape({ type: 'rectangle', halfExtents: HALF_WALL }),
  ];
  const poseOf = (body: number) => ({
    position: [positions[2 * body], positions[2 * body + 1]],
    angle: angles[body],
    scale: scales[body],
  });
  /** Along a wall and across it. */
  const seenFrom = (wallBody: number, agent: number): number[] => {
    const [x, y] = [0, 1].map((k) => positions[2 * agent + k] - positions[2 * wallBody + k]);
    const [cosine, sine] = [Math.cos(angles[wallBody]), Math.sin(angles[wallBody])];
    return [(cosine * x + sine * y) / scales[wallBody], (cosine * y - sine * x) / scales[wallBody]];
  };
  const found: Walk = { agents: 0, walls: 0, crossed: [], shortest: Infinity };
  const paths = new Float64Array(count);
  for (let frame = 0; frame < STEPS; frame++) {
    const before = positions.slice();
    const sides = Array.from({ length: count }, (_, agent) =>
      scales.slice(count).map((__, i) => Math.sign(seenFrom(count + i, agent)[1])),
    );
    await step();
    for (let agent = 0; agent < count; agent++) {
      paths[agent] += Math.hypot(
        positions[2 * agent] - before[2 * agent],
        positions[2 * agent + 1] - before[2 * agent + 1],
      );
      for (let other = agent + 1; other < count; other++) {
        const distance =
          Math.hypot(positions[2 * agent] - positions[2 * other], positions[2 * agent + 1] - positions[2 * other + 1]) -
          2 * RADIUS;
        found.agents = Math.max(found.agents, -distance);
      }
      for (let i = 0; i < scales.length - count; i++) {
        const { distance } = planar.contact(circle, poseOf(agent), wall, poseOf(count + i), { margin: Infinity });
        found.walls = Math.max(found.walls, -distance);
        const [along, across] = seenFrom(count + i, agent);
        if (Math.abs(along) < HALF_WALL[0] && Math.sign(across) !== sides[agent][i])
          found.crossed.push(`agent ${agent}, step ${frame}, wall ${i}`);
      }
    }
    if ((frame + 1) % WINDOW === 0) {
      found.shortest = Math.min(found.shortest, ...paths);
      paths.fill(0);
    }
  }
  return found;
}

describe.each(['cpu', 'webgpu'] as const)('on %s', (backend) => {
  test(`${STEPS} steps of the crowd`, async () => {
    const crowd = await makeCrowd(backend);
    const { agents, walls, crossed, shortest } = await walk(crowd);
    expect(crossed).toEqual([]);
    expect(agents).toBeLessThan(SLOP);
    expect(walls).toBeLessThan(SLOP);
    expect(shortest).toBeGreaterThan(LEAST_PATH);
    crowd.tester.dispose();
  });
});
