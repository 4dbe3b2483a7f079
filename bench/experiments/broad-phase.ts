/**
 * The broad phase on the CPU, beside Rapier's on the same bodies:
 *
 *     npm run build && node scripts/run-ts.mjs bench/experiments/broad-phase.ts [--bodies 10000,100000,1000000] \
 *       [--rapier 100000] [--repeats 3] > bench/results/broad-phase.md
 *
 * `--rapier` is the most bodies that Rapier gets. Its broad phase keeps a tree from step to step. In the first step it
 * inserts all bodies; before the next ones all bodies move a little.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ColliderDesc, Cuboid, HalfSpace, World, init, type Collider } from '@dimforge/rapier3d-compat';
import type { Bodies, Tester, TesterOptions } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';
import { describeMachine } from '../machine.ts';
import { digits, table } from '../markdown.ts';
import { generatorText } from '../revision.ts';
import { median } from '../../verification/statistics/median.ts';

const { values } = parseArgs({
  options: {
    bodies: { type: 'string', default: '10000,100000,1000000' },
    rapier: { type: 'string', default: '100000' },
    repeats: { type: 'string', default: '3' },
  },
});
const COUNTS = values.bodies.split(',').map(Number);
const MOST_OF_RAPIER = Number(values.rapier);
const REPEATS = Number(values.repeats);

/** How far bodies move along each axis before a step of Rapier, in edges of a body. */
const MOVE = 0.2;

interface Package {
  createTester(options: TesterOptions): Promise<Tester>;
}

/** Node's own `import`: that of the runner rewrites what it loads, which makes it slower. */
const importAsPublished = new Function('url', 'return import(url)') as (url: string) => Promise<Package>;
const { createTester } = await importAsPublished(pathToFileURL(join(import.meta.dirname, '../../dist/node.js')).href);
await init();

/** Where body i of `count` is, and the edge of its cube; or that it is a half-space, all above `centre` being outside. */
type Family = (i: number, count: number, random: Random) => { centre: number[]; edge: number; isHalfspace?: boolean };

const inCube = (random: Random, edge: number): number[] => [0, 1, 2].map(() => uniform(random, 0, edge));

/** A cube in which similar bodies have about 6.6 pairs each. */
const roomFor = (count: number): number => 1.25 * Math.cbrt(count);

const FAMILIES: Record<string, Family> = {
  'similar sizes': (_, count, random) => ({
    centre: inCube(random, roomFor(count)),
    edge: uniform(random, 0.9, 1.1),
  }),
  'sizes from 1 to 1000': (_, count, random) => ({
    centre: inCube(random, 300 * Math.cbrt(count)),
    edge: 1000 ** uniform(random, 0, 1),
  }),
  'one giant': (i, count, random) => ({ centre: inCube(random, roomFor(count)), edge: i === 0 ? 1e6 : 1 }),
  clusters: (i, count, random) => ({
    centre: inCube(random, roomFor(count / 20)).map((x, k) => x + (k < 2 ? 1e5 * (i % 20) ** (k + 1) : 0)),
    edge: 1,
  }),
  'a line': (_, count, random) => ({ centre: [uniform(random, 0, 0.3 * count), 0, 0], edge: 1 }),
  'a sheet': (_, count, random) => {
    const [x, y, z] = inCube(random, 0.8 * Math.sqrt(count));
    return { centre: [x, 1e-3 * y, z], edge: 1 };
  },
  '100 half-spaces': (i, count, random) => {
    const centre = inCube(random, roomFor(count));
    // Slopes of different directions at the lower end of the cube.
    return i < 100 ? { centre: [centre[0], 0, centre[2]], edge: 1, isHalfspace: true } : { centre, edge: 1 };
  },
  'far out': (_, count, random) => ({ centre: inCube(random, roomFor(count)).map((x) => x + 1e7), edge: 1 }),
};

interface Made {
  bodies: Required<Pick<Bodies, 'positions' | 'quaternions' | 'scales'>>;
  /** The bodies that are half-spaces. */
  halfspaces: Set<number>;
  count: number;
}

/** The rotation of a plane that is up to about 0.1 radians from level. */
function slope(random: Random): number[] {
  const x = uniform(random, -0.05, 0.05);
  const z = uniform(random, -0.05, 0.05);
  return [x, 0, z, Math.sqrt(1 - x * x - z * z)];
}

function makeBodies(family: Family, count: number): Made {
  const random = createRandom(24);
  const halfspaces = new Set<number>();
  const bodies = {
    positions: new Float32Array(3 * count),
    quaternions: new Float32Array(4 * count),
    scales: new Float32Array(count),
  };
  for (let i = 0; i < count; i++) {
    const { centre, edge, isHalfspace } = family(i, count, random);
    bodies.positions.set(centre, 3 * i);
    if (isHalfspace) halfspaces.add(i);
    bodies.quaternions.set(isHalfspace ? slope(random) : unitVector(random, [0, 0, 0, 0]), 4 * i);
    bodies.scales[i] = edge;
  }
  return { bodies: bodies as Made['bodies'], halfspaces, count };
}

/** Milliseconds of wall time and of processor time of `findPairs`, and the pairs found. */
async function measureOurs(tester: Tester, { bodies, halfspaces, count }: Made) {
  const shapes = Uint32Array.from({ length: count }, (_, i) => (halfspaces.has(i) ? floor : crate));
  const given = { ...bodies, shapes } as Bodies;
  const wall: number[] = [];
  const processor: number[] = [];
  let pairs = 0;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const start = performance.now();
    const before = process.cpuUsage();
    pairs = (await tester.findPairs(given)).length / 2;
    const { user, system } = process.cpuUsage(before);
    wall.push(performance.now() - start);
    processor.push((user + system) / 1000);
  }
  return { wall: median(wall), processor: median(processor), pairs };
}

/** Milliseconds of Rapier's broad phase: of the first step, and of one after all bodies have moved. */
function measureRapier({ bodies: { positions, quaternions, scales }, halfspaces, count }: Made) {
  const world = new World({ x: 0, y: 0, z: 0 });
  world.profilerEnabled = true;
  const colliders: Collider[] = [];
  for (let i = 0; i < count; i++) {
    const half = scales[i] / 2;
    const [x, y, z, w] = quaternions.subarray(4 * i, 4 * i + 4);
    const shape = halfspaces.has(i) ? new HalfSpace({ x: 0, y: 1, z: 0 }) : new Cuboid(half, half, half);
    const description = new ColliderDesc(shape).setRotation({ x, y, z, w });
    const place = { x: positions[3 * i], y: positions[3 * i + 1], z: positions[3 * i + 2] };
    colliders.push(world.createCollider(description.setTranslation(place.x, place.y, place.z)));
  }
  world.step();
  const first = world.timingBroadPhase();
  const moved: number[] = [];
  const random = createRandom(25);
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (let i = 0; i < count; i++) {
      const [x, y, z] = [0, 1, 2].map((k) => positions[3 * i + k] + uniform(random, -MOVE, MOVE) * scales[i]);
      colliders[i].setTranslation({ x, y, z });
    }
    world.step();
    moved.push(world.timingBroadPhase());
  }
  world.free();
  return { first, moved: median(moved) };
}

const tester = await createTester({ backend: 'cpu', threads: 1 });
const crate = tester.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
const floor = tester.addShape({ type: 'halfspace', normal: [0, 1, 0], offset: 0 });
// The first searches of a process compile their code.
for (const family of Object.values(FAMILIES)) await measureOurs(tester, makeBodies(family, 20_000));

const cases = Object.entries(FAMILIES).flatMap(([name, family]) => COUNTS.map((count) => ({ name, family, count })));
// Rapier comes second: its WebAssembly is compiled in the background, which is processor time of this process too.
const ours: Awaited<ReturnType<typeof measureOurs>>[] = [];
for (const { family, count } of cases) ours.push(await measureOurs(tester, makeBodies(family, count)));
const rows = cases.map(({ name, family, count }, i) => {
  const { wall, processor, pairs } = ours[i];
  const rapier = count <= MOST_OF_RAPIER ? measureRapier(makeBodies(family, count)) : undefined;
  return [
    name,
    count.toLocaleString('en'),
    (pairs / count).toFixed(1),
    digits(wall),
    digits(processor),
    digits((processor / count) * 1e6),
    rapier ? digits(rapier.first) : '',
    rapier ? digits(rapier.moved) : '',
  ];
});
tester.dispose();

const { cpu, cores, memoryGiB, os, node, loadAtStart } = describeMachine();
const head = [
  'bodies',
  'count',
  'pairs per body',
  'wall, ms',
  'processor, ms',
  'ns per body',
  'Rapier: new, ms',
  'Rapier: moved, ms',
];
console.log(`# The broad phase on the CPU

\`node scripts/run-ts.mjs bench/experiments/broad-phase.ts\`, ${new Date().toISOString().slice(0, 10)}; ${generatorText()}

- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Other work at the end: ${loadAtStart} processes. It lengthens wall times, and through the shared caches processor times

Rotated boxes. \`findPairs\` from arrays to the sorted list of pairs: bounds, tree, pairs, sort; medians of ${REPEATS}. The
processor times include garbage collection on other threads. Rapier (\`@dimforge/rapier3d-compat\`) on the same bodies:
its own timing of its broad phase, in milliseconds, for colliders that are new and for those that all have moved by up
to ${MOVE} along each axis. These are wall times. Rapier enlarges boxes that have moved,
so as to keep its tree in later steps, and does not sort pairs.

${table(head, rows).join('\n')}
`);
process.exit(0);
