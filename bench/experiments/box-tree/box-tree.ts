/**
 * The tree of boxes on the GPU, beside the grid for pairs and beside the tree on the CPU for rays, on the adapter that
 * Dawn finds:
 *
 *     node scripts/run-ts.mjs bench/experiments/box-tree/box-tree.ts [--bodies 10000,100000] [--rays 100000] \
 *       [--repeats 5] > bench/results/box-tree.md
 *
 * Rounds alternate between the methods. On a software adapter the processor time is the measure.
 */
import { parseArgs } from 'node:util';
import { boxFamilies, makeBodies, type BoxBodies } from './bodies.ts';
import { openDevice } from './device.ts';
import { castRaysOnCpu } from './rays-on-cpu.ts';
import { createRandom, uniform, unitVector } from '../../../verification/families/random.ts';
import { describeMachine } from '../../machine.ts';
import { digits, table } from '../../markdown.ts';
import { generatorText } from '../../revision.ts';
import { median } from '../../../verification/statistics/median.ts';

const { values } = parseArgs({
  options: {
    bodies: { type: 'string', default: '10000,100000' },
    rays: { type: 'string', default: '100000' },
    repeats: { type: 'string', default: '5' },
  },
});
const COUNTS = values.bodies.split(',').map(Number);
const RAYS = Number(values.rays);
const REPEATS = Number(values.repeats);
/** Length of a ray, in edges of a body of the least size. */
const RAY_LENGTH = 20;

/** Milliseconds of processor time and of wall time. */
interface Times {
  processor: number;
  wall: number;
}

/** Medians of the methods' times, one round of all methods after the other. The first round is not counted. */
async function alternate(methods: readonly (() => Promise<unknown> | void)[]): Promise<Times[]> {
  const times: Times[][] = methods.map(() => []);
  for (let round = 0; round <= REPEATS; round++) {
    for (const [i, run] of methods.entries()) {
      const start = performance.now();
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      if (round > 0) times[i].push({ processor: (user + system) / 1000, wall: performance.now() - start });
    }
  }
  return times.map((all) => ({
    processor: median(all.map(({ processor }) => processor)),
    wall: median(all.map(({ wall }) => wall)),
  }));
}

/** Rays through the middle half of the space of the bodies. */
function makeRays({ bodies, count }: BoxBodies) {
  const random = createRandom(25);
  const origins = new Float32Array(3 * RAYS);
  const directions = new Float32Array(3 * RAYS);
  for (let ray = 0; ray < RAYS; ray++) {
    // Near a body, so that rays are where bodies are.
    const body = Math.floor(uniform(random, 0, count));
    const away = unitVector(random, [0, 0, 0]);
    origins.set(
      away.map((x, k) => bodies.positions[3 * body + k] + 0.5 * RAY_LENGTH * uniform(random, 0, 1) * x),
      3 * ray,
    );
    directions.set(unitVector(random, [0, 0, 0]), 3 * ray);
  }
  return { origins, directions, maxTimes: new Float32Array(RAYS).fill(RAY_LENGTH) };
}

const PAIR_HEAD = [
  'bodies',
  'count',
  'pairs per body: grid',
  'tree',
  'grid, ms',
  'tree, ms',
  'of that building it',
  'tree to grid',
];
const RAY_HEAD = [
  'bodies',
  'count',
  'bodies per ray: device',
  'CPU',
  'device, processor ms',
  'CPU, processor ms',
  'device, M rays/s by wall time',
  'CPU, M rays/s by wall time',
];

const device = await openDevice();
const pairRows: string[][] = [];
const rayRows: string[][] = [];
for (const [name, family] of Object.entries(boxFamilies)) {
  for (const count of COUNTS) {
    const made = makeBodies(family, count);
    const scene = device.load(made);
    const [grid, both, tree] = await alternate([scene.countByGrid, scene.countByTree, scene.buildTree]);
    const pairs = [await scene.countByGrid(), await scene.countByTree()];
    pairRows.push([
      name,
      count.toLocaleString('en'),
      ...pairs.map((found) => (found / count).toFixed(2)),
      digits(grid.processor),
      digits(both.processor),
      digits(tree.processor),
      (both.processor / grid.processor).toFixed(2),
    ]);
    const rays = makeRays(made);
    const cast = scene.loadRays(rays);
    const onCpu = castRaysOnCpu(made, rays);
    let [candidates, candidatesOnCpu] = [0, 0];
    const [ofDevice, ofCpu] = await alternate([
      async () => void (candidates = await cast()),
      () => void (candidatesOnCpu = onCpu()),
    ]);
    const rate = (time: number): string => digits(RAYS / time / 1000);
    rayRows.push([
      name,
      count.toLocaleString('en'),
      ...[candidates, candidatesOnCpu].map((found) => (found / RAYS).toFixed(2)),
      ...[ofDevice.processor, ofCpu.processor].map(digits),
      ...[ofDevice.wall, ofCpu.wall].map(rate),
    ]);
  }
}

const { cpu, cores, memoryGiB, os, node, loadAtStart } = describeMachine();
console.log(`# The tree of boxes on the GPU

\`node scripts/run-ts.mjs bench/experiments/box-tree/box-tree.ts\`, ${new Date().toISOString().slice(0, 10)}; ${generatorText()}

- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Adapter: ${device.adapter}
- Other work at the end: ${loadAtStart} processes. It lengthens wall times, and through the shared caches processor times

Rotated boxes, medians of ${REPEATS}. All times are milliseconds from boxes of bodies on, with shapes and poses on the device.

## Pairs

Bounds, the structure, and the number of each body's pairs: by the grid that \`findPairs\` has, and by a tree that each
body searches for those after it. Both test two bodies exactly, and keep their partners. The tree's search takes up to 64
leaves per body, which a giant exceeds.

${table(PAIR_HEAD, pairRows).join('\n')}

## Rays

${RAYS.toLocaleString('en')} rays of ${RAY_LENGTH} units from near a body. The number of bodies that each may meet: on the device with the
tree's building; on one thread of the CPU with the bounds and the building of its tree.

${table(RAY_HEAD, rayRows).join('\n')}
`);
process.exit(0);
