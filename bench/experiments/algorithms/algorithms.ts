/**
 * SAT, GJK + EPA, MPR with both endings and a Voronoi-region walk on the same seeded pairs: how right, how many steps,
 * how long.
 *
 *     npm run algorithms -- [--pairs 20000] [--gpu-pairs 32768] [--frames 30] [--repeats 9] [--seed 1] [--out FILE]
 *
 * Prints Markdown. The truth is what GJK + EPA find in double precision, which tests hold against a brute-force oracle
 * to 1e-9.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { LeadStage } from '../../../src/request/backend.ts';
import { NO_GUESS } from '../../../src/cpu/gjk.ts';
import { MPR_NORMAL, MPR_OPEN, STATUS_OVERLAPPING, STATUS_SEPARATED } from '../../../src/generated/constants.ts';
import { createMprResult, mpr } from '../../../src/cpu/mpr.ts';
import { set, vec3 } from '../../../src/cpu/math.ts';
import { createPair, makePair, type Pair } from '../../../src/cpu/pair.ts';
import { contact } from '../../../src/cpu/queries/contacts.ts';
import { distance } from '../../../src/cpu/queries/distances.ts';
import { createPairResult } from '../../../src/cpu/queries/result.ts';
import { createTester } from '../../../src/node.ts';
import { makeShapeData } from '../../../src/shapes/shape-data.ts';
import { TOLERANCE } from '../../../src/shapes/tolerances.ts';
import type { Algorithm, MprDepth, Tester } from '../../../src/api/types.ts';
import type { Family } from '../../../verification/families/family.ts';
import { createMotion } from '../../../verification/families/stepped-bodies.ts';
import { describeMachine } from '../../machine.ts';
import { areBoxes, areSolids, COMPARED, comparedFamily, moves, type ComparedName } from './families.ts';
import { polyhedronOf } from './polyhedron.ts';
import { percentage, percentages, spreadOf } from './spread.ts';
import { motionsBetween, VERTEX, vClip, type Walker } from './v-clip.ts';

const text = { type: 'string' } as const;
const { values: options } = parseArgs({
  options: {
    pairs: { ...text, default: '20000' },
    'gpu-pairs': { ...text, default: '32768' },
    frames: { ...text, default: '30' },
    repeats: { ...text, default: '9' },
    seed: { ...text, default: '1' },
    out: text,
  },
});
const PAIRS = Number(options.pairs);
const GPU_PAIRS = Number(options['gpu-pairs']);
const FRAMES = Number(options.frames);
const REPEATS = Number(options.repeats);
const SEED = Number(options.seed);
/** Pairs that move, and how far from frame to frame, as a share of the larger of their sizes. */
const MOVING = 1000;
const STEP = 0.01;
/** Depths below this share of the size have no share of themselves worth telling. */
const SHALLOW = 1e-4;

interface Way {
  name: string;
  leadStage: LeadStage;
  algorithm: Algorithm;
  mprDepth?: MprDepth;
}

const SAT: Way = { name: 'SAT', leadStage: 'sat', algorithm: 'sat' };
const WAYS: Way[] = [
  { name: 'GJK + EPA', leadStage: 'none', algorithm: 'gjk' },
  { name: "MPR, 'ray'", leadStage: 'mpr', algorithm: 'mpr', mprDepth: 'ray' },
  { name: "MPR, 'normal'", leadStage: 'mpr', algorithm: 'mpr', mprDepth: 'normal' },
];

/** Pairs of a family as the reference takes them. */
function sceneOf(family: Family) {
  const shapes = family.shapes.map((shape) => makeShapeData(shape));
  const { positions, quaternions, shapes: ids } = family.bodies;
  const poses = [
    { scale: 1, quaternion: new Float64Array(4) },
    { scale: 1, quaternion: new Float64Array(4) },
  ];
  const offset = vec3();
  const pair = createPair();
  const place = (index: number): Pair => {
    const a = 2 * index;
    for (const side of [0, 1]) for (let k = 0; k < 4; k++) poses[side].quaternion[k] = quaternions[4 * (a + side) + k];
    set(
      positions[3 * a + 3] - positions[3 * a],
      positions[3 * a + 4] - positions[3 * a + 1],
      positions[3 * a + 5] - positions[3 * a + 2],
      offset,
    );
    return makePair(shapes[ids[a]], poses[0], shapes[ids[a + 1]], poses[1], offset, pair);
  };
  const sizeOf = (index: number): number => {
    const a = 2 * index;
    const between = Math.hypot(...[0, 1, 2].map((k) => positions[3 * a + 3 + k] - positions[3 * a + k]));
    return Math.max(shapes[ids[a]].boundingRadius + shapes[ids[a + 1]].boundingRadius, between);
  };
  const shapeA = (index: number) => shapes[ids[2 * index]];
  const shapeB = (index: number) => shapes[ids[2 * index + 1]];
  return { shapes, place, sizeOf, shapeA, shapeB };
}

type Scene = ReturnType<typeof sceneOf>;

/**
 * Microseconds a pair of each run's fastest repeat. They take turns, so that what else the machine does hits all; the
 * first turn compiles.
 */
function clock(pairs: number, runs: readonly (() => void)[]): number[] {
  const least = runs.map(() => Infinity);
  for (let repeat = 0; repeat <= REPEATS; repeat++) {
    runs.forEach((run, i) => {
      const start = performance.now();
      run();
      if (repeat > 0) least[i] = Math.min(least[i], performance.now() - start);
    });
  }
  return least.map((milliseconds) => (1e3 * milliseconds) / pairs);
}

/** Whether a status is not that of the expected distance, which is beyond doubt. */
function isWrong(status: number, expected: number, tolerance: number): boolean {
  return !(Math.abs(expected) <= tolerance) && status !== (expected <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED);
}

const answer = createPairResult();

function askContact(scene: Scene, { leadStage, mprDepth }: Way, index: number, margin = 0): typeof answer {
  return contact(
    scene.place(index),
    scene.shapeA(index),
    scene.shapeB(index),
    margin,
    leadStage,
    answer,
    undefined,
    mprDepth,
  );
}

interface Compared {
  way: Way;
  ofSize: Float64Array;
  ofDepth: Float64Array;
  /** Pairs whose depth is the true one. */
  exact: number;
  wrong: number;
  /** Mean steps of pairs that are apart, and of those that overlap. */
  steps: number[];
  microseconds: number;
}

function compare(family: Family): { rows: Compared[]; overlapping: number; left: number } {
  const scene = sceneOf(family);
  const ways = areBoxes(scene.shapes) ? [SAT, ...WAYS] : WAYS;
  const truth = Float64Array.from({ length: PAIRS }, (_, i) => askContact(scene, WAYS[0], i, Infinity).distance);
  const deep = Array.from(truth.keys()).filter((i) => truth[i] < -TOLERANCE.reference * scene.sizeOf(i));
  const deeper = deep.filter((i) => truth[i] < -SHALLOW * scene.sizeOf(i));
  const times = clock(
    PAIRS,
    ways.map((way) => () => {
      for (let i = 0; i < PAIRS; i++) askContact(scene, way, i);
    }),
  );
  const rows = ways.map((way, w): Compared => {
    let wrong = 0;
    const steps = [0, 0];
    const found = truth.map((expected, i) => {
      const { status, distance: given, iterations } = askContact(scene, way, i);
      if (isWrong(status, expected, TOLERANCE.reference * scene.sizeOf(i))) wrong++;
      steps[Number(expected <= 0)] += iterations;
      return given;
    });
    const touching = truth.filter((expected) => expected <= 0).length;
    const ofSize = Float64Array.from(deep, (i) => (truth[i] - found[i]) / scene.sizeOf(i));
    return {
      way,
      ofSize,
      ofDepth: Float64Array.from(deeper, (i) => (truth[i] - found[i]) / -truth[i]),
      exact: ofSize.filter((excess) => Math.abs(excess) <= TOLERANCE.reference).length / ofSize.length,
      wrong,
      steps: [steps[0] / (PAIRS - touching), steps[1] / touching],
      microseconds: times[w],
    };
  });
  const portal = createMprResult();
  let left = 0;
  let cores = 0;
  for (const i of deep) {
    const pair = scene.place(i);
    if (truth[i] / pair.unit + pair.radiusA + pair.radiusB > -TOLERANCE.reference) continue;
    cores++;
    if (mpr(pair, 0, MPR_NORMAL, portal).state === MPR_OPEN) left++;
  }
  return { rows, overlapping: deep.length, left: left / Math.max(cores, 1) };
}

interface GpuCost {
  microseconds: number;
  wrong: number;
}

/** Kernel time of whole queries, all stages, in turns; and answers against the reference. */
async function compareGpu(gpu: Tester, cpu: Tester, family: Family, ways: readonly Way[]): Promise<GpuCost[]> {
  const [onGpu, onCpu] = [gpu, cpu].map((tester) => {
    const ids = family.shapes.map((shape) => tester.addShape(shape));
    return { ...family.bodies, shapes: family.bodies.shapes.map((shape) => ids[shape]) };
  });
  const truth = (await cpu.contacts(onCpu, family.pairs, { algorithm: 'gjk', margin: Infinity })).distance;
  const { sizeOf } = sceneOf(family);
  const costs = ways.map((): GpuCost => ({ microseconds: Infinity, wrong: 0 }));
  for (let repeat = 0; repeat <= REPEATS; repeat++) {
    for (const [w, { algorithm, mprDepth }] of ways.entries()) {
      const { status, count } = await gpu.contacts(onGpu, family.pairs, { algorithm, mprDepth });
      if (repeat > 0) costs[w].microseconds = Math.min(costs[w].microseconds, (1e3 * gpu.timings.kernels) / count);
      costs[w].wrong = truth.filter((expected, i) =>
        isWrong(status[i], expected, TOLERANCE.kernels * sizeOf(i)),
      ).length;
    }
  }
  return costs;
}

interface Moving {
  name: string;
  first: number;
  later: number;
  microseconds: number;
  error: number;
  wrong: number;
}

/** What finds the distance of pair `index`: 0 where it overlaps, NaN for no answer. */
type Finder = (index: number) => { distance: number; steps: number };

/** Distances frame by frame of bodies that move a little. */
function compareMoving(name: ComparedName): Moving[] {
  const start = comparedFamily(name, MOVING, SEED + 1);
  const frames: Family[] = [];
  const move = createMotion(start, SEED);
  for (let frame = 0; frame < FRAMES; frame++) {
    const { shapes, positions, quaternions } = start.bodies;
    frames.push({ ...start, bodies: { shapes, positions: positions.slice(), quaternions: quaternions.slice() } });
    move(STEP);
  }
  const scenes = frames.map(sceneOf);
  const truths = scenes.map((scene) =>
    Float64Array.from({ length: MOVING }, (_, i) => Math.max(askContact(scene, WAYS[0], i, Infinity).distance, 0)),
  );
  const query =
    (leadStage: LeadStage, guesses?: Float64Array[]) =>
    (frame: number): Finder =>
    (index) => {
      const scene = scenes[frame];
      const found = distance(
        scene.place(index),
        scene.shapeA(index),
        scene.shapeB(index),
        Infinity,
        leadStage,
        answer,
        guesses?.[index],
      );
      return { distance: found.distance, steps: found.iterations };
    };
  const ways: [name: string, fresh: () => (frame: number) => Finder][] = [
    ['GJK', () => query('none')],
    [
      'GJK, warm',
      () =>
        query(
          'none',
          Array.from({ length: MOVING }, () => NO_GUESS.slice()),
        ),
    ],
    ['MPR, then GJK', () => query('mpr')],
  ];
  if (areSolids(start)) {
    const solids = start.shapes.map(polyhedronOf);
    const walk = (isWarm: boolean) => () => {
      const { shapes } = start.bodies;
      const walkers = Array.from(
        { length: 2 * MOVING },
        (_, body) => ({ solid: solids[shapes[body]], kind: VERTEX, index: 0 }) as Walker,
      );
      return (frame: number): Finder => {
        const { positions, quaternions } = frames[frame].bodies;
        const poseOf = (body: number) => ({
          position: positions.subarray(3 * body, 3 * body + 3),
          quaternion: quaternions.subarray(4 * body, 4 * body + 4),
        });
        return (index) => {
          const [a, b] = [walkers[2 * index], walkers[2 * index + 1]];
          [a.motion, b.motion] = motionsBetween(poseOf(2 * index), poseOf(2 * index + 1));
          if (!isWarm) a.kind = b.kind = VERTEX;
          if (!isWarm) a.index = b.index = 0;
          const found = vClip(a, b);
          return { distance: found.isLost ? NaN : found.distance, steps: found.steps };
        };
      };
    };
    ways.push(['V-Clip', walk(false)], ['V-Clip, warm', walk(true)]);
  }
  const times = clock(
    MOVING * FRAMES,
    ways.map(([, fresh]) => () => {
      const finders = fresh();
      for (let frame = 0; frame < FRAMES; frame++) {
        const find = finders(frame);
        for (let i = 0; i < MOVING; i++) find(i);
      }
    }),
  );
  return ways.map(([wayName, fresh], w) => {
    const row: Moving = { name: wayName, first: 0, later: 0, microseconds: times[w], error: 0, wrong: 0 };
    const findersOf = fresh();
    for (let frame = 0; frame < FRAMES; frame++) {
      const find = findersOf(frame);
      for (let i = 0; i < MOVING; i++) {
        const { distance: found, steps } = find(i);
        const t = TOLERANCE.reference * scenes[frame].sizeOf(i);
        if (frame === 0) row.first += steps / MOVING;
        else row.later += steps / MOVING / (FRAMES - 1);
        if (Number.isNaN(found) || (found > 0 !== truths[frame][i] > 0 && !(Math.abs(found - truths[frame][i]) <= t)))
          row.wrong++;
        row.error = Math.max(
          row.error,
          Number.isNaN(found) ? Infinity : Math.abs(found - truths[frame][i]) / scenes[frame].sizeOf(i),
        );
      }
    }
    return row;
  });
}

function tableRow(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

const gpu = await createTester({ backend: 'webgpu' });
const cpu = await createTester({ backend: 'cpu' });
const short: string[] = [];
const accuracy: string[] = [];
const cost: string[] = [];
const motion: string[] = [];
const leftOver: string[] = [];
for (const name of COMPARED) {
  process.stderr.write(`${name}\n`);
  const { rows, overlapping, left } = compare(comparedFamily(name, PAIRS, SEED));
  leftOver.push(`${name} ${percentage(left)} %`);
  const onDevice = await compareGpu(
    gpu,
    cpu,
    comparedFamily(name, GPU_PAIRS, SEED),
    rows.map(({ way }) => way),
  );
  rows.forEach(({ way, ofSize, ofDepth, exact, wrong, steps, microseconds }, w) => {
    const excess = [ofDepth, ofSize].flatMap((values) => percentages(spreadOf(values)));
    accuracy.push(tableRow([name, way.name, overlapping, percentage(exact), ...excess, wrong, onDevice[w].wrong]));
    cost.push(
      tableRow([
        name,
        way.name,
        ...steps.map((mean) => mean.toFixed(1)),
        microseconds.toFixed(2),
        onDevice[w].microseconds.toFixed(3),
      ]),
    );
  });
  const portals = rows
    .filter(({ way }) => way.leadStage === 'mpr')
    .flatMap(({ ofDepth, exact }) => {
      const { mean, most, greatest } = spreadOf(ofDepth);
      return [exact, mean, most, greatest].map(percentage);
    });
  const times = [SAT, ...WAYS].map(
    ({ name: wanted }) => onDevice[rows.findIndex(({ way }) => way.name === wanted)]?.microseconds.toFixed(2) ?? '–',
  );
  short.push(tableRow([name, ...portals, ...times]));
  if (!moves(name)) continue;
  for (const { name: way, first, later, microseconds, error, wrong } of compareMoving(name)) {
    motion.push(
      tableRow([name, way, first.toFixed(1), later.toFixed(1), microseconds.toFixed(2), error.toExponential(1), wrong]),
    );
  }
}
const { cpu: processor, cores, memoryGiB, os, node } = describeMachine();
const { description, vendor, isSoftware } = gpu.adapter;
const report = `# Algorithms compared

\`npm run algorithms -- --pairs ${PAIRS} --gpu-pairs ${GPU_PAIRS} --frames ${FRAMES} --repeats ${REPEATS} --seed \
${SEED}\`, ${new Date().toISOString().slice(0, 10)}

- Machine: ${processor}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Adapter: ${description || vendor}${isSoftware ? ' (software)' : ''}

All ways have the same pairs: half of them overlapping, a quarter of all within 1e-3 of the size from touch, turned at random. One box in 16
is a plate or a needle of 100:1; elongated boxes are rods and plates of 10:1 to 50:1. Hulls lie on ellipsoids of up \
to 5:1; capsules are up to 6:1; mixed
has all of these and spheres; needles are 1000:1 (verification/families/structured-families.ts). The truth is what \
GJK + EPA find in double precision, so that
their errors are 0 by definition; tests hold them against a brute-force oracle.

## In short

How deep MPR finds overlapping pairs, in double precision, and kernel time of \`contacts\` over all pairs. \
Voronoi-region walks have no depth and no kernel.

<!-- short -->
| pairs of | 'ray': exact, % | excess, % of depth: mean | 99 % below | greatest | 'normal': exact, % | excess: mean | \
99 % below | greatest | µs a pair on the GPU: SAT | GJK + EPA | 'ray' | 'normal' |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${short.join('\n')}
<!-- end -->

## Depth

\`contacts\` in double precision of ${PAIRS} pairs. Exact are depths within the tolerance of the reference. Excess is \
the depth reported less
the true one, as a share of the true depth (of pairs deeper than ${SHALLOW} of the size) and of the size, max(sum of the bounding radii,
distance of the bodies). A wrong overlap is one beyond the tolerance, ${TOLERANCE.reference} of the size in double precision,
${TOLERANCE.kernels} on the GPU (${GPU_PAIRS} pairs).

| pairs of | way | overlapping | exact, % | excess, % of depth: mean | median | 99 % below | greatest | % of size: \
mean | median | 99 % below | greatest | wrong overlaps | on the GPU |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${accuracy.join('\n')}

MPR leaves to GJK + EPA what it can't decide: of pairs whose cores overlap ${leftOver.join(', ')}. Cores of capsules never do:
GJK finds their overlaps.

## Cost

\`contacts\` with margin 0 of the same pairs, overlapping or not. Steps are 1 for SAT, supports asked for by the others, of the algorithm
that answered, on the CPU. Times are the fastest of ${REPEATS} runs in turns: on the CPU one thread, the pair's frame \
included, on the GPU the
kernels of the whole query, all stages, by timestamps.

| pairs of | way | steps, apart | steps, overlapping | µs a pair, CPU | µs a pair, GPU |
| --- | --- | ---: | ---: | ---: | ---: |
${cost.join('\n')}

## Coherent motion

${MOVING} pairs over ${FRAMES} frames on the CPU; from frame to frame each body moves by ${STEP} (sizes are 0.06 to \
2) and turns by half as many
radians. What is asked is the distance, 0 for overlap: V-Clip has no depth. Warm searches start from what the last frame ended with, the
others anew: V-Clip from the first vertices. Steps are pairs of features for V-Clip, otherwise supports. A wrong overlap is an error beyond
the tolerance with the wrong sign, or no answer.

| pairs of | way | steps, first frame | steps, later | µs a pair | greatest error, share of the size | wrong overlaps |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
${motion.join('\n')}
`;
console.log(report);
if (options.out) writeFileSync(options.out, report);
gpu.dispose();
cpu.dispose();
