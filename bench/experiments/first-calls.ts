/**
 * The first call of each query, for several kinds of shapes, with empty shader caches:
 *
 *     npm run first-calls -- [--engines dawn-lavapipe,dawn-swiftshader] [--cases boxes/contacts,…] [--pairs 1024]
 *                            [--out FILE]
 *
 * Makes each call in a process of its own, with a new tester, and prints Markdown. For calls that take longer than their
 * limit, it names the kernels that take the most time, each compiled by itself in another process.
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BatchOptions } from '../../src/api/batch-options.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { Status } from '../../src/api/results.ts';
import type { PosedBodies } from '../../src/api/types.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { dispatchFirst } from '../../src/gpu/first-dispatch.ts';
import type { KernelVariant } from '../../src/gpu/kernels.ts';
import { createSession } from '../../src/gpu/session.ts';
import { createTester } from '../../src/node.ts';
import { dawnDrivers, withDawn } from '../../src/node/dawn.ts';
import { throttleWhile } from '../../src/node/throttle-polling.ts';
import { makeShapePairFamily } from '../../verification/families/families.ts';
import { makePlanarTypeFamily } from '../../verification/families/planar-families.ts';
import { FIRST_CALL_LIMITS } from '../gpu/targets.ts';
import { describeMachine } from '../machine.ts';
import { table } from '../markdown.ts';
import { makeTerrainScene } from '../mesh/terrain.ts';
import { someOf } from '../options.ts';
import { generatorText } from '../revision.ts';
import { finderSubject } from '../throughput/engines/finder.ts';
import { makeWorkload } from '../../verification/workloads/make.ts';
import { makePlanarWorkload } from '../../verification/workloads/planar.ts';

const { values } = parseArgs({
  options: {
    engines: { type: 'string' },
    cases: { type: 'string' },
    pairs: { type: 'string', default: '1024' },
    out: { type: 'string' },
  },
});
const PAIRS = Number(values.pairs);
const SEED = 1;
/** Kernels that are named of a call. */
const NAMED = 4;

/** Pairs by name, in 3-D and in 2-D. */
const SCENES = {
  boxes: () => makeWorkload('boxes', PAIRS, 0.5, SEED),
  hull32: () => makeWorkload('hull32', PAIRS, 0.5, SEED),
  'cylinders and cones': () => makeShapePairFamily('cylinder/cone', PAIRS, SEED),
  mixed: () => makeWorkload('mixed', PAIRS, 0.5, SEED),
  rectangles: () => makePlanarWorkload('rectangles', PAIRS, 0.5, SEED),
  polygon8: () => makePlanarWorkload('polygon8', PAIRS, 0.5, SEED),
  'capsules and polygons': () => makePlanarTypeFamily('capsule/polygon', PAIRS, SEED),
} as const;
type SceneName = keyof typeof SCENES;

/** Pairs of a terrain and a body, for batches: over meshes, a batch runs the kernels that a query does not. */
const GROUNDS = {
  'boxes on a mesh': () => makeGround([{ type: 'box', halfExtents: [0.3, 0.2, 0.4] }]),
  'hulls on a mesh': () => makeGround(makeTerrainScene(2, 1, SEED).hulls),
} as const;
type GroundName = keyof typeof GROUNDS;

const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts', 'impacts, rotating'] as const;
type Asked = (typeof QUERIES)[number];
const isAnsweredOver = (asked: Asked): boolean => asked !== 'impacts, rotating';

/** What a process measured: milliseconds, by the clock on the wall and of all threads of the process. */
interface Times {
  wall: number;
  processor: number;
}

type Task = { scene: SceneName | GroundName; query: Asked } | { variants: KernelVariant[] };

/** By task: the pipelines that the call compiled, or the times of each variant. */
interface Measured extends Times {
  pipelines: string[];
  each: Times[];
}

async function timed(run: () => Promise<unknown>): Promise<Times> {
  const [wall, before] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - wall, processor: (user + system) / 1e3 };
}

/** A device, and the labels of the pipelines that it will have compiled. */
async function openCounted(): Promise<{ device: GPUDevice; pipelines: string[] }> {
  const [driver] = await dawnDrivers();
  const { device } = await withDawn(driver, (gpu) => openDevice(gpu, {}));
  const pipelines: string[] = [];
  const create = device.createComputePipelineAsync.bind(device);
  device.createComputePipelineAsync = (descriptor) => {
    pipelines.push(descriptor.label!.replace(/^kernels\./, ''));
    return create(descriptor);
  };
  return { device, pipelines };
}

async function measureCall(scene: SceneName, asked: Asked): Promise<Measured> {
  const { shapes, bodies, pairs } = SCENES[scene]();
  const { device, pipelines } = await openCounted();
  const tester = await createTester({ device, dimension: 'angles' in bodies ? 2 : 3 } as { device: GPUDevice });
  for (const shape of shapes) tester.addShape(shape as never);
  const [query, isRotating] = [asked.split(',')[0] as Exclude<Asked, 'impacts, rotating'>, asked.includes('rotating')];
  const moving = {
    ...bodies,
    linearVelocities: wave(bodies.positions.length),
    ...(isRotating && { angularVelocities: wave('angles' in bodies ? bodies.angles.length : bodies.positions.length) }),
  };
  const options = query === 'impacts' ? { duration: 1 } : {};
  const times = await timed(() => tester[query](moving as never, pairs, options as never) as Promise<unknown>);
  return { ...times, pipelines, each: [] };
}

/** The terrain of `bench:mesh`, smaller, with bodies of these shapes on it. */
function makeGround(bodies: ShapeDescription[]): {
  shapes: ShapeDescription[];
  bodies: PosedBodies;
  pairs: Uint32Array;
} {
  const scene = makeTerrainScene(32, PAIRS, SEED);
  scene.bodies.shapes = Uint32Array.from(scene.bodies.shapes, (id) => (id === 0 ? 0 : 1 + ((id - 1) % bodies.length)));
  return { shapes: [scene.ground, ...bodies], bodies: scene.bodies, pairs: scene.pairs };
}

/** Makes the batch, and runs its first frame. */
async function measureBatch(scene: GroundName, query: Exclude<Asked, 'impacts, rotating'>): Promise<Measured> {
  const { shapes, bodies, pairs } = GROUNDS[scene]();
  const { device, pipelines } = await openCounted();
  const tester = await createTester({ device });
  for (const shape of shapes) tester.addShape(shape);
  const linearVelocities = wave(bodies.positions.length);
  const times = await timed(async () => {
    const batch = await tester.createBatch({
      query,
      maxBodies: PAIRS + 1,
      maxPairs: PAIRS,
      maxPartPairs: 64 * PAIRS,
      ...(query === 'impacts' && { duration: 0.1 }),
      ...(query === 'manifolds' && { parts: 'all', results: 'hits' }),
    } as BatchOptions);
    batch.write({ bodies: query === 'impacts' ? { ...bodies, linearVelocities } : bodies, pairs });
    const encoder = device.createCommandEncoder();
    batch.encode(encoder);
    device.queue.submit([encoder.finish()]);
    const { statusCounts } = await batch.readCounts();
    if (!statusCounts[Status.Overlapping]) throw new Error(`No body of ${scene}/${query} touches the ground`);
  });
  return { ...times, pipelines, each: [] };
}

function wave(length: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => Math.sin(12.9898 * (i + 1)));
}

async function measureKernels(variants: readonly KernelVariant[]): Promise<Measured> {
  const [driver] = await dawnDrivers();
  const { device, adapter } = await withDawn(driver, (gpu) => openDevice(gpu, {}));
  // Polling for the end would count as processor time.
  const session = createSession(device, adapter.isSoftware, () => {}, throttleWhile);
  // What the device compiles for itself at first is of no kernel.
  await session.kernels.prepare([{ kernel: 'compact-scan' }]);
  await dispatchFirst(session, [{ kernel: 'compact-scan' }]);
  const each: Times[] = [];
  for (const variant of variants)
    each.push(
      await timed(async () => {
        await session.orLost(session.kernels.prepare([variant]));
        await dispatchFirst(session, [variant]);
      }),
    );
  return { wall: 0, processor: 0, pipelines: [], each };
}

/** The variant with this key (`variantKey`). */
function variantOf(key: string): KernelVariant {
  const [kernel, ...constants] = key.split(' ');
  const entries = constants.map((text) => text.split('='));
  return {
    kernel: kernel as KernelVariant['kernel'],
    constants: Object.fromEntries(entries.map(([name, value]) => [name, Number(value)])),
  };
}

/** Runs the task in a process of its own on a driver. */
function inProcess(task: Task, driverFile: string | undefined): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = fork('scripts/run-ts.mjs', [import.meta.filename], {
      env: {
        ...process.env,
        ...(driverFile !== undefined && { VK_DRIVER_FILES: driverFile, VK_ICD_FILENAMES: driverFile }),
        MESA_SHADER_CACHE_DISABLE: 'true',
        __GL_SHADER_DISK_CACHE: '0',
        FIRST_CALLS_TASK: JSON.stringify(task),
      },
    });
    child.once('message', (measured) => resolve(measured as Measured));
    child.once('exit', (code) => reject(new Error(`the process of ${JSON.stringify(task)} ended with ${code}`)));
  });
}

const task = process.env.FIRST_CALLS_TASK;
if (task) await answer(JSON.parse(task) as Task);
else await main();
process.exit(0);

async function answer(of: Task): Promise<void> {
  const measured = 'variants' in of ? await measureKernels(of.variants) : await measureScene(of.scene, of.query);
  await new Promise((resolve) => process.send!(measured, resolve));
}

function measureScene(scene: SceneName | GroundName, query: Asked): Promise<Measured> {
  return scene in GROUNDS
    ? measureBatch(scene as GroundName, query as Exclude<Asked, 'impacts, rotating'>)
    : measureCall(scene as SceneName, query);
}

async function main(): Promise<void> {
  const all = [
    ...Object.keys(SCENES).flatMap((scene) => QUERIES.map((query) => `${scene}/${query}`)),
    ...Object.keys(GROUNDS).flatMap((scene) => QUERIES.filter(isAnsweredOver).map((query) => `${scene}/${query}`)),
  ];
  const cases = someOf('--cases', values.cases, all).map((name) => name.split('/') as [SceneName | GroundName, Asked]);
  const found = (await finderSubject().find()).flatMap((one) => ('engine' in one ? [one.engine] : []));
  const engines = found.filter(({ name }) => name.startsWith('dawn'));
  const chosen = someOf(
    '--engines',
    values.engines,
    engines.map(({ name }) => name),
  );
  const { cpu, cores, node, loadAtStart } = describeMachine();
  const lines = [
    '# First calls',
    '',
    `${generatorText()}; ${cpu}, ${cores} cores, Node ${node}, load ${loadAtStart} at the start. ${PAIRS} pairs per call, ` +
      'half of them overlapping; empty shader caches. "processor s" is the time of all threads of the process, which ' +
      'other programs on the machine change little; "s" is the time by the clock on the wall, in which they take part.',
  ];
  for (const { name, driver } of engines.filter((engine) => chosen.includes(engine.name))) {
    const limitMs = FIRST_CALL_LIMITS.find(({ adapter }) => adapter.test(name))?.ms ?? Infinity;
    const rows: string[][] = [];
    for (const [scene, query] of cases) {
      const { wall, processor, pipelines } = await inProcess({ scene, query }, driver?.file);
      const isOver = processor > limitMs;
      const slowest = isOver ? await slowestOf(pipelines, driver?.file) : '';
      rows.push([`${scene}/${query}`, seconds(processor), seconds(wall), String(pipelines.length), slowest]);
      process.stderr.write(`${name}: ${rows.at(-1)!.join(', ')}\n`);
    }
    const over = rows.filter(([, processor]) => 1e3 * Number(processor) > limitMs).length;
    lines.push(
      '',
      `## ${name}`,
      '',
      `Limit ${limitMs / 1e3} s; ${over} of ${rows.length} calls take more processor time.`,
      '',
      ...table(['call', 'processor s', 's', 'pipelines', 'of the slow ones: kernels, processor s'], rows, [1, 2, 3]),
    );
  }
  const text = `${lines.join('\n')}\n`;
  if (values.out) writeFileSync(values.out, text);
  else process.stdout.write(text);
}

async function slowestOf(pipelines: readonly string[], driverFile: string | undefined): Promise<string> {
  const { each } = await inProcess({ variants: pipelines.map(variantOf) }, driverFile);
  return pipelines
    .map((key, i) => ({ kernel: key.split(' ')[0], ms: each[i].processor }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, NAMED)
    .map(({ kernel, ms }) => `${kernel} ${seconds(ms)}`)
    .join(', ');
}

function seconds(ms: number): string {
  return (ms / 1e3).toFixed(1);
}
