/**
 * Contacts of hulls with a terrain: on the CPU backend, in a batch, and by Rapier's `TriMesh`:
 *
 *     npm run --silent bench:terrain -- [--cells 224] [--hulls 10000] [--repeats 5] > bench/results/mesh-terrain.md
 *
 * Answers are compared before times. Rounds alternate between the subjects.
 */
import { parseArgs } from 'node:util';
import { ColliderDesc, ShapeContact, TriMesh, Vector3, World } from '@dimforge/rapier3d-compat';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { median } from '../../verification/statistics/median.ts';
import { findAdapter } from '../gpu/adapter.ts';
import { createStageClock } from '../gpu/stage-clock.ts';
import { describeMachine } from '../machine.ts';
import { digits, table } from '../markdown.ts';
import { makeTerrainScene, type TerrainScene } from './terrain.ts';
import { quaternionAt, rapierShape, startRapier, vectorAt } from '../throughput/peers/rapier-shapes.ts';

/** By the build. */
declare const GENERATOR: string;

const { values } = parseArgs({
  options: {
    cells: { type: 'string', default: '224' },
    hulls: { type: 'string', default: '10000' },
    repeats: { type: 'string', default: '5' },
  },
});
const [CELLS, HULLS, REPEATS] = [values.cells, values.hulls, values.repeats].map(Number);
const SEED = 1;
/** Metres by which two depths may differ and count as equal. */
const EQUAL = 1e-4;

const rapier = await startRapier();
const adapter = await findAdapter(console.error);
if (!adapter) throw new Error('no driver gives an adapter');
const scene = makeTerrainScene(CELLS, HULLS, SEED);
const triangles = scene.ground.indices.length / 3;

/** Milliseconds of all threads of the process. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function addShapes(tester: Tester, { ground, hulls }: TerrainScene): void {
  for (const shape of [ground, ...hulls]) tester.addShape(shape);
}

/** Signed distances of touching pairs by Rapier, NaN for pairs that do not touch. */
function rapierContacts({ ground, hulls, bodies }: TerrainScene): () => Float64Array {
  const world = new World({ x: 0, y: 0, z: 0 });
  const terrain = world.createCollider(new ColliderDesc(new TriMesh(ground.positions, ground.indices)));
  const shapes = hulls.map(rapierShape);
  const positions = bodies.positions as Float32Array;
  const quaternions = bodies.quaternions as Float32Array;
  const colliders = Array.from({ length: HULLS }, (_, i) => {
    const { x, y, z } = vectorAt(positions, i + 1);
    const description = new ColliderDesc(shapes[(bodies.shapes as Uint32Array)[i + 1] - 1]);
    return world.createCollider(description.setTranslation(x, y, z).setRotation(quaternionAt(quaternions, i + 1)));
  });
  const [point1, point2, normal1, normal2] = [0, 0, 0, 0].map(() => new Vector3(0, 0, 0));
  const target = new ShapeContact(0, point1, point2, normal1, normal2);
  const found = new Float64Array(HULLS);
  return () => {
    for (const [i, collider] of colliders.entries())
      found[i] = terrain.contactCollider(collider, 0, target)?.distance ?? NaN;
    return found;
  };
}

/** Returns a function that tells the bytes of the buffers that the device then has. */
function countBytes(device: GPUDevice): () => number {
  let bytes = 0;
  const create = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = create(descriptor);
    const destroy = buffer.destroy.bind(buffer);
    bytes += descriptor.size;
    buffer.destroy = () => {
      bytes -= descriptor.size;
      return destroy();
    };
    return buffer;
  };
  return () => bytes;
}

type BatchQuery = Parameters<Tester['createBatch']>[0];

/** Bytes of a tester and a batch on a device of their own. */
async function bytesOf(shown: TerrainScene, maxPartPairs: number, query: Partial<BatchQuery>): Promise<number> {
  const { device, tester } = await adapter!.open({ dimension: 3 });
  const bytes = countBytes(device);
  addShapes(tester, shown);
  const capacity = { maxBodies: 64, maxPairs: 64, maxPartPairs };
  await tester.createBatch({ query: 'contacts', ...capacity, ...query } as BatchQuery);
  const result = bytes();
  tester.dispose();
  return result;
}

/** Kernels of a batch by the stage that they belong to. */
function stageOf(kernel: string): string {
  if (kernel === 'copies') return 'copies';
  if (kernel.includes('part-pairs/search')) return 'search of the trees';
  if (/part-pairs/.test(kernel)) return 'passes over pairs of parts';
  if (/compact|count|list|scan/.test(kernel)) return 'lists';
  return 'kernels of convex bodies';
}

const own = await createTester({ backend: 'cpu', threads: 1 });
addShapes(own, scene);
const treeMs = await processorMs(() => own.intersects(scene.bodies, scene.pairs.slice(0, 2)));
const normalsMs = await processorMs(() => own.contacts(scene.bodies, scene.pairs.slice(0, 2)));
const peer = rapierContacts(scene);

const { device, tester: gpuTester } = await adapter.open({ dimension: 3 });
addShapes(gpuTester, scene);
const capacity = { maxBodies: HULLS + 1, maxPairs: HULLS, maxPartPairs: 32 * HULLS };
const batch = await gpuTester.createBatch({ query: 'contacts', ...capacity });
batch.write({ bodies: scene.bodies as never, pairs: scene.pairs });
async function runBatch(): Promise<void> {
  const encoder = device.createCommandEncoder();
  batch.encode(encoder);
  device.queue.submit([encoder.finish()]);
  await device.queue.onSubmittedWorkDone();
}

// Answers.
const contacts = await own.contacts(scene.bodies, scene.pairs);
const distances = Float64Array.from(contacts.distance);
const peerDistances = peer().slice();
await runBatch();
const batchDistances = Float64Array.from((await batch.read()).distance);
const counts = await batch.readCounts();

/** How the answers of a subject differ from those of the CPU backend. */
function compare(others: Float64Array): string[] {
  const [numbers, differences] = [{ both: 0, own: 0, other: 0, equal: 0, deeper: 0, shallower: 0 }, [] as number[]];
  for (const [i, distance] of distances.entries()) {
    const [hit, otherHit] = [distance <= 0, others[i] <= 0];
    if (hit && !otherHit) numbers.own++;
    if (!hit && otherHit) numbers.other++;
    if (!hit || !otherHit) continue;
    numbers.both++;
    const difference = distance - others[i];
    differences.push(Math.abs(difference));
    if (Math.abs(difference) <= EQUAL) numbers.equal++;
    else if (difference > 0) numbers.deeper++;
    else numbers.shallower++;
  }
  const { both, own: ownOnly, other, equal, deeper, shallower } = numbers;
  return [both, ownOnly, other, equal, deeper, shallower]
    .map(String)
    .concat(digits(1000 * Math.max(0, ...differences)));
}
const answers = [
  ['batch', ...compare(batchDistances)],
  ['Rapier', ...compare(peerDistances)],
];

// Times.
const all = { parts: 'all' } as const;
const subjects: Record<string, () => Promise<unknown>> = {
  'CPU backend, intersects: the search': () => own.intersects(scene.bodies, scene.pairs),
  'CPU backend, contacts': () => own.contacts(scene.bodies, scene.pairs),
  'CPU backend, contacts, `parts: "all"`': () => own.contacts(scene.bodies, scene.pairs, all),
  'batch on lavapipe, contacts': runBatch,
  'Rapier, contactCollider': () => Promise.resolve(peer()),
};
const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, [] as number[]]));
for (let round = 0; round < REPEATS; round++)
  for (const [name, subject] of Object.entries(subjects)) times[name].push(await processorMs(subject));
const peerTimes = times['Rapier, contactCollider'];
const timeRows = Object.entries(times).map(([name, list]) => [
  name,
  digits((1000 * median(list)) / HULLS),
  digits(median(list.map((ms, i) => peerTimes[i] / ms))),
]);

const clock = createStageClock(device, true);
if (!clock) throw new Error('the device has no timestamps');
const stages = new Map<string, number>();
for (let round = 0; round < REPEATS; round++) {
  const sample = await clock.sample(batch as never);
  for (const [i, kernel] of clock.kernels().entries())
    stages.set(stageOf(kernel), (stages.get(stageOf(kernel)) ?? 0) + sample[i]);
}
const wholeMs = [...stages.values()].reduce((sum, ms) => sum + ms, 0);
const stageRows = [...stages].map(([stage, ms]) => [stage, `${((100 * ms) / wholeMs).toFixed(1)} %`]);

// Memory.
const [small, large] = [makeTerrainScene(CELLS / 2, 1, SEED), makeTerrainScene(CELLS, 1, SEED)];
const [few, many] = [1024, 65_536];
const triangleDifference = (large.ground.indices.length - small.ground.indices.length) / 3;
const bytesPerTriangle = ((await bytesOf(large, few, {})) - (await bytesOf(small, few, {}))) / triangleDifference;
const perPart = async (query: object): Promise<string> =>
  (((await bytesOf(small, many, query)) - (await bytesOf(small, few, query))) / (many - few)).toFixed(0);
const listed = { parts: 'all', results: 'hits' };
const memory = [
  ['triangle, batch of contacts', bytesPerTriangle.toFixed(0)],
  ['pair of parts, contacts', await perPart({})],
  ['pair of parts, contacts, `parts: "all"`', await perPart(listed)],
  ['pair of parts, manifolds, `parts: "all"`', await perPart({ query: 'manifolds', ...listed })],
];

const date = new Date().toISOString().slice(0, 10);
const { cpu, cores, memoryGiB, os, node, loadAtStart } = describeMachine();
console.log(`# Contacts with a terrain

\`${['npm run bench:terrain --', ...process.argv.slice(2)].join(' ')}\`, ${date}; ${GENERATOR}

- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Adapter of the batch: ${adapter.facts.description}
- Peer: ${rapier}, \`TriMesh\`
- Other work at the end: ${loadAtStart} processes. Through the shared caches it lengthens processor times

${HULLS.toLocaleString('en-US')} hulls of 14 points, each with a terrain of ${triangles.toLocaleString('en-US')} triangles (seed ${SEED}).
${distances.filter((distance) => distance <= 0).length.toLocaleString('en-US')} of them touch it. The batch found
${counts.partPairs!.toLocaleString('en-US')} pairs of parts.

## Answers

Pairs, compared with the CPU backend. *Equal*: depths that differ by at most ${EQUAL} m. *Deeper* and *shallower*: depths of
the subject. The last column is the greatest difference in mm.

${table(['subject', 'both touch', 'CPU backend only', 'subject only', 'equal', 'deeper', 'shallower', 'mm'], answers).join('\n')}

Rapier moves the hull out of each triangle by itself, by the shortest way, and returns the deepest of these. narrowphase's
depth is along a normal that the surface accepts, and contacts that another one makes superfluous do not count.

## Time

Microseconds of processor time of all threads per pair: medians of ${REPEATS} rounds, in which the subjects alternate.
*Ratio*: Rapier's time over the subject's, the median over the rounds. The CPU backend has one thread. Building the tree
took ${digits(treeMs)} ms of processor time, and the accepted normals ${digits(normalsMs)} ms.

${table(['subject', 'µs per pair', 'ratio'], timeRows).join('\n')}

Shares of the batch's stages, by timestamps of ${REPEATS} runs:

${table(['stage', 'share'], stageRows).join('\n')}

## Memory

Bytes of the device's buffers, from the differences of two terrains and of two capacities.

${table(['per', 'bytes'], memory).join('\n')}
`);
process.exit();
