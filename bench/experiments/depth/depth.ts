/**
 * Ways of resolving depth on the GPU, compared on the overlapping pairs that contacts-gjk leaves:
 *
 *     node scripts/run-ts.mjs bench/experiments/depth/depth.ts [--pairs 16384] [--repeats 5] > bench/results/depth.md
 *
 * `--shapes hull32,hull64` and `--ways 'compact EPA;refinement'` choose rows.
 *
 * - contacts-epa, contacts-arcs: EPA on the large polytope, one invocation per pair in private memory, then the arcs of
 *   Gauss maps for the rest, and contacts-epa along their normals
 * - contacts-epa-64 or -32: EPA on the compact polytope, what 'gjk' uses first
 * - contacts-arcs first: what 'auto' uses, faces and arcs of Gauss maps, an invocation per pair
 * - workgroup.wgsl: EPA with a workgroup of 8, 16 or 32 per pair in shared memory
 * - refine.wgsl: downhill refinement of one normal; fast, but it ends in local minima, which are wrong answers
 *
 * All start from the same records of GJK, on kernels for the same kinds of shapes. `VK_DRIVER_FILES` chooses the
 * adapter.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
// @ts-expect-error: scripts have no types
import { linkModules } from '../../../scripts/shaders/link.mjs';
import { dawnDrivers, withDawn } from '../../../src/node/dawn.ts';
import { throttleWhile } from '../../../src/node/throttle-polling.ts';
import {
  INFO_ITERATIONS_SHIFT,
  INFO_PENDING_EPA,
  INFO_STATUS_MASK,
  LIST_HEADER,
  STATUS_NOT_CONVERGED,
} from '../../../src/generated/constants.ts';
import { openDevice } from '../../../src/gpu/device.ts';
import { record, type Dispatch } from '../../../src/gpu/kernels.ts';
import { bindSteps, variantsOfSteps } from '../../../src/gpu/passes.ts';
import { planQuery } from '../../../src/gpu/planner.ts';
import { spatialPlanner } from '../../../src/gpu/plan.ts';
import type { KernelStep, Plan, Step } from '../../../src/gpu/steps.ts';
import { encodeCopies, readCopies } from '../../../src/gpu/read-back.ts';
import { createSession } from '../../../src/gpu/session.ts';
import { createTester } from '../../../src/node.ts';
import { spaceRecords } from '../../../src/records/layout.ts';
import type { LeadStage } from '../../../src/request/backend.ts';
import { addShape, createShapeTable } from '../../../src/shapes/shape-table.ts';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { TOLERANCE } from '../../../src/shapes/tolerances.ts';
import { dimension3 } from '../../../src/dimension/dim3.ts';
import { emptyFamily, putRandomPair, shapeCores, type Family } from '../../../verification/families/family.ts';
import { randomBox } from '../../../verification/families/random-shapes.ts';
import {
  below,
  createRandom,
  spread,
  uniform,
  unitVector,
  type Random,
} from '../../../verification/families/random.ts';
import { kernelScene } from '../kernel-scene.ts';
import { describeMachine } from '../../machine.ts';
import { generatorText } from '../../revision.ts';
import { median } from '../../../verification/statistics/median.ts';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '16384' },
    repeats: { type: 'string', default: '5' },
    shapes: { type: 'string' },
    ways: { type: 'string' },
  },
});
const PAIRS = Number(values.pairs);
const REPEATS = Number(values.repeats);
/** As a shell takes them. */
const ARGUMENTS = process.argv
  .slice(2)
  .map((word) => (/[ ;]/.test(word) ? `'${word}'` : word))
  .join(' ');
const SHAPES = 64;
const SEED = 7;
/** Workgroups of a kernel that has one for each pair; they share the pairs where there are more. */
const WORKGROUPS = 4096;

/** `count` points at random on an ellipsoid, none close to another. */
function hullOf(count: number): (random: Random) => ShapeDescription {
  return (random) => {
    const longest = spread(random, 1, 4);
    const axes = [longest, longest * uniform(random, 0.2, 1), longest * uniform(random, 0.2, 1)];
    const chosen: number[][] = [];
    while (chosen.length < count) {
      const candidate = Array.from(unitVector(random, [0, 0, 0]));
      if (!chosen.some((p) => p[0] * candidate[0] + p[1] * candidate[1] + p[2] * candidate[2] > 1 - 0.64 / count))
        chosen.push(candidate);
    }
    return { type: 'hull', points: Float32Array.from(chosen.flatMap((p) => p.map((x, k) => axes[k] * x))) };
  };
}

type MakeShape = (random: Random, index: number) => ShapeDescription;

/** The shapes of A and of B. */
const kinds: [name: string, a: MakeShape, b: MakeShape][] = [
  ['box', randomBox, randomBox],
  ...[
    [8, 8],
    [32, 32],
    [8, 64],
    [48, 48],
    [64, 64],
    [8, 128],
    [128, 128],
    [192, 192],
    [256, 256],
  ].map(([a, b]): [string, MakeShape, MakeShape] => [
    a === b ? `hull${a}` : `hull${a} and hull${b}`,
    hullOf(a),
    hullOf(b),
  ]),
].filter(([name]) => values.shapes === undefined || values.shapes.split(',').includes(name as string)) as never;

function familyOf(name: string, makeA: MakeShape, makeB: MakeShape): Family {
  const random = createRandom(SEED);
  const family = emptyFamily(
    name,
    Array.from({ length: 2 * SHAPES }, (_, index) => (index < SHAPES ? makeA : makeB)(random, index)),
    PAIRS,
  );
  const cores = shapeCores(family.shapes);
  for (let i = 0; i < PAIRS; i++)
    putRandomPair(random, family, cores, i, [below(random, SHAPES), SHAPES + below(random, SHAPES)]);
  return family;
}

// Compile times are those of empty shader caches.
Object.assign(process.env, { MESA_SHADER_CACHE_DISABLE: 'true', __GL_SHADER_DISK_CACHE: '0' });
const [driver] = await dawnDrivers();
const { device, adapter } = await withDawn(driver, (gpu) => openDevice(gpu, {}));
device.addEventListener('uncapturederror', ({ error }) => {
  throw new Error(error.message);
});
const session = createSession(device, adapter.isSoftware, () => {});
const { kernels, pool } = session;

/** A kernel of a way, behind what lists its pairs. */
interface Stage {
  list: readonly Step[];
  compile: () => Promise<Dispatch>;
}

/** Milliseconds, by the clock on the wall and of all threads of this process. */
interface Times {
  wall: number;
  processor: number;
}

function clock(): Times {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), processor: (user + system) / 1e3 };
}

function sinceThen(begin: Times): Times {
  const { wall, processor } = clock();
  return { wall: wall - begin.wall, processor: processor - begin.processor };
}

async function run(dispatches: readonly Dispatch[]): Promise<Times> {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  record(pass, dispatches);
  pass.end();
  const begin = clock();
  device.queue.submit([encoder.finish()]);
  await throttleWhile(device.queue.onSubmittedWorkDone());
  return sinceThen(begin);
}

async function copy(from: GPUBuffer, to: GPUBuffer): Promise<void> {
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(from, 0, to, 0, from.size);
  device.queue.submit([encoder.finish()]);
  await throttleWhile(device.queue.onSubmittedWorkDone());
}

async function read(buffer: GPUBuffer): Promise<ArrayBuffer> {
  const encoder = device.createCommandEncoder();
  const regions = [{ buffer, offset: 0, size: buffer.size }];
  const staging = encodeCopies(pool, encoder, regions);
  device.queue.submit([encoder.finish()]);
  return (await readCopies(staging, regions))[0];
}

const prototypes = new Map<string, GPUComputePipeline>();

/** The dispatch of a kernel beside this file, on the buffers of contacts-epa. */
async function prototype(
  name: string,
  constants: Record<string, number>,
  epa: Dispatch,
  width: number,
): Promise<Dispatch> {
  const key = JSON.stringify([name, constants]);
  let pipeline = prototypes.get(key);
  if (!pipeline) {
    const code = [
      ...linkModules(join(import.meta.dirname, '../../../shaders'), `../bench/experiments/depth/${name}`).values(),
    ].join('\n');
    pipeline = await device.createComputePipelineAsync({
      layout: device.createPipelineLayout({ bindGroupLayouts: [epa.pipeline.getBindGroupLayout(0)] }),
      compute: { module: device.createShaderModule({ code }), entryPoint: 'main', constants },
    });
    prototypes.set(key, pipeline);
  }
  return { ...epa, pipeline, width };
}

const { words, info: infoWord } = spaceRecords.sizes.contacts;
/** Milliseconds that compiling took, by pipeline. */
const compileTimes = new Map<GPUComputePipeline, number>();

const { cpu: cpuName, cores, memoryGiB, os, node } = describeMachine();
console.log(`# Ways of resolving depth on the GPU

\`node scripts/run-ts.mjs bench/experiments/depth/depth.ts ${ARGUMENTS}\`, ${new Date().toISOString().slice(0, 10)}, \
${generatorText()}

- Machine: ${cpuName}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Adapter: ${adapter.description || adapter.vendor}${adapter.isSoftware ? ' (software)' : ''}

${PAIRS} pairs of each kind of shape, about half of them hits. Every way starts from the same records, which GJK left \
of the pairs whose cores
overlap: the hits. Times are those of kernels that resolve depth alone, without GJK, lists and features; all ways run by \
turns, ${REPEATS} times.
On software adapters "processor µs per hit" is the median, of all threads of the process, which compute what a GPU \
would; on a graphics card
"M hits/s" are those of the fastest time from submission until the work is done. "compile s" is \
processor time on
software adapters, with empty shader caches; further kernels behind a plus where a pair needed them. Errors are shares \
of the sum of both shapes' greatest distances from their
origins, held against the reference in double precision; the tolerance is ${TOLERANCE.kernels}.

- EPA, an invocation per pair: on the large polytope, to which the package leaves what the compact one does not answer.
- compact EPA: what the package uses first for \`'gjk'\`; "not converged" are the pairs that it leaves.
- faces and arcs, an invocation per pair: what the package uses for \`'auto'\`, where EPA takes the pairs that are "not \
converged" here.
- EPA, lanes per pair: "not converged" are pairs that GJK left without a tetrahedron, which the prototype does not \
start from; it has none of the
  rules that keep a polytope whole under rounding, and room for 40 vertices.
- refinement: what is beyond the tolerance are local minima of the depth, no answer by the contract.

| shapes | way | compile s | ${adapter.isSoftware ? 'processor µs per hit' : 'M hits/s'} | \
beyond tolerance | largest error of the size | not converged | iterations |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |`);
for (const [name, makeA, makeB] of kinds) {
  const family = familyOf(name, makeA, makeB);
  const cpu = await createTester({ backend: 'cpu' });
  for (const shape of family.shapes) cpu.addShape(shape);
  const reference = (await cpu.contacts(family.bodies, family.pairs, { margin: Infinity, algorithm: 'gjk' })).distance;
  cpu.dispose();
  const table = createShapeTable();
  for (const shape of family.shapes) addShape(table, shape, dimension3);
  const { extents } = shapeCores(family.shapes);

  const { context, sizes, buffers } = kernelScene(session, 'contacts', family, table, 0);
  const { records: stored, list } = buffers;
  const pending = pool.get('pending', stored.size);
  const planOf = (leadStage: LeadStage): Plan =>
    planQuery(spatialPlanner, {
      query: 'contacts',
      leadStage,
      bodies: family.bodies,
      pairs: family.pairs,
      shapes: table,
      margin: 0,
    });
  const plan = planOf('none');
  // Without a limit of facets.
  const [withoutLimit] = [...planOf('sat').steps, ...planOf('sat').fallbackSteps].flatMap((step) =>
    step.step === 'kernel' && step.variant.kernel === 'contacts-arcs'
      ? [{ ...step, variant: { ...step.variant, constants: { ...step.variant.constants, MOST_FACETS: 2 ** 32 - 1 } } }]
      : [],
  );
  const overArcs = withoutLimit as KernelStep | undefined;
  const bind = async (steps: readonly Step[]): Promise<Dispatch[]> => {
    await kernels.prepare(variantsOfSteps(steps));
    return bindSteps(context, plan, steps, sizes, buffers);
  };
  const listed = async (): Promise<Uint32Array> => {
    const all = new Uint32Array(await read(list));
    return all.subarray(LIST_HEADER, LIST_HEADER + all[1]);
  };

  // All pairs are of one class. The steps of features come last.
  const [gjk, epaList] = plan.steps;
  const steps = [...plan.steps, ...plan.fallbackSteps];
  const stepsOf = (kernel: string): Step[] =>
    steps.filter((step) => step.step === 'kernel' && step.variant.kernel === kernel);
  const compact = steps.filter((step) => step.step === 'kernel' && /^contacts-epa-\d+$/.test(step.variant.kernel));
  const [epa, along] = stepsOf('contacts-epa');
  const [arcs] = stepsOf('contacts-arcs');
  const listBefore = (step: Step): Step => steps[steps.indexOf(step) - 1];
  const { HAS_ARCS: _, ...constants } = (epa as KernelStep).variant.constants!;
  const compileStep = (step: Step) => async () => (await bind([step]))[0];
  const compilePrototype = (file: string, more: Record<string, number>, width?: number) => async () => {
    const [dispatch] = await bind([epa]);
    return prototype(file, { ...constants, ...more }, dispatch, width ?? dispatch.width);
  };
  const ways: [name: string, stages: Stage[]][] = [
    [
      'EPA, an invocation per pair',
      [
        { list: [epaList], compile: compileStep(epa) },
        ...(arcs ? [arcs, along].map((step) => ({ list: [listBefore(step)], compile: compileStep(step) })) : []),
      ],
    ],
    ['compact EPA', compact.map((step) => ({ list: [listBefore(step)], compile: compileStep(step) }))],
    ...(overArcs
      ? [
          ['faces and arcs, an invocation per pair', [{ list: [epaList], compile: compileStep(overArcs) }]] as [
            string,
            Stage[],
          ],
        ]
      : []),
    ...[8, 16, 32].map((lanes): [string, Stage[]] => [
      `EPA, ${lanes} lanes per pair`,
      [{ list: [epaList], compile: compilePrototype('workgroup', { LANES: lanes }, WORKGROUPS) }],
    ]),
    ['refinement', [{ list: [epaList], compile: compilePrototype('refine', {}) }]],
  ].filter(([way]) => values.ways === undefined || values.ways.split(';').includes(way as string)) as never;

  await run(await bind([gjk, epaList]));
  await copy(stored, pending);
  const hits = await listed();
  const rounds = ways.map((): Times[] => []);
  const compiled = ways.map((): string[] => []);
  /** Runs the stages of a way from what GJK left. */
  async function runWay(way: number): Promise<Times> {
    await copy(pending, stored);
    const sum = { wall: 0, processor: 0 };
    for (const stage of ways[way][1]) {
      const lists = await bind(stage.list);
      await run(lists);
      if ((await listed()).length === 0) continue;
      const begin = clock();
      const dispatch = await stage.compile();
      if (!compileTimes.has(dispatch.pipeline)) {
        // Some drivers compile at the first dispatch, here of no pairs.
        device.queue.writeBuffer(list, 0, new Uint32Array(LIST_HEADER));
        await run([dispatch]);
        const { wall, processor } = sinceThen(begin);
        compileTimes.set(dispatch.pipeline, adapter.isSoftware ? processor : wall);
        await run(lists);
      }
      if (rounds[way].length === 0) compiled[way].push((compileTimes.get(dispatch.pipeline)! / 1e3).toFixed(1));
      const { wall, processor } = await run([dispatch]);
      sum.wall += wall;
      sum.processor += processor;
    }
    return sum;
  }
  // By turns, so that what else runs on this machine slows all of them.
  for (let round = 0; round < REPEATS; round++)
    for (let way = 0; way < ways.length; way++) rounds[way].push(await runWay(way));
  for (const [i, [way]] of ways.entries()) {
    await runWay(i);
    const records = await read(stored);
    const [info, numbers] = [new Uint32Array(records), new Float32Array(records)];
    let [wrong, unfinished, iterations, worst] = [0, 0, 0, 0];
    for (const pair of hits) {
      const bits = info[words * pair + infoWord];
      iterations += bits >>> INFO_ITERATIONS_SHIFT;
      if (bits & INFO_PENDING_EPA || (bits & INFO_STATUS_MASK) === STATUS_NOT_CONVERGED) {
        unfinished++;
        continue;
      }
      const size = extents[family.bodies.shapes[2 * pair]] + extents[family.bodies.shapes[2 * pair + 1]];
      const error = Math.abs(numbers[words * pair + spaceRecords.fields.distance] - reference[pair]) / size;
      worst = Math.max(worst, error);
      if (error > TOLERANCE.kernels) wrong++;
    }
    const share = (count: number): string => (count === 0 ? '0' : `${((100 * count) / hits.length).toFixed(2)} %`);
    const rate = (hits.length / Math.min(...rounds[i].map(({ wall }) => wall)) / 1e3).toPrecision(3);
    const perHit = ((1e3 * median(rounds[i].map((times) => times.processor))) / hits.length).toPrecision(3);
    const speed = adapter.isSoftware ? perHit : rate;
    const errors = [share(wrong), worst.toExponential(1), share(unfinished)];
    const cells = [name, way, compiled[i].join(' + '), speed, ...errors, (iterations / hits.length).toFixed(1)];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
device.destroy();
