/**
 * Ways of finding the support vertex of a hull on the GPU, compared in the GJK of `distances`, which does little else:
 *
 *     node scripts/run-ts.mjs bench/experiments/support-mapping/support-mapping.ts [--pairs 65536] [--repeats 7] > bench/results/support.md
 *
 * - all vertices: the best of them all
 * - hill climbing: from the vertex that a bucket of directions starts with, along the hull's edges
 * - cells: the best of those that can be the support in a cell of directions
 *
 * The package takes all vertices where every hull is small, and cells otherwise.
 *
 * All are the same kernel but for the body of `supportOfPolytope`, on the same pairs. `VK_DRIVER_FILES` chooses the adapter.
 */
import { parseArgs } from 'node:util';
import { dawnDrivers, withDawn } from '../../../src/node/dawn.ts';
import { kernelCode } from '../../../src/gpu/kernel-code.ts';
import { layouts } from '../../../src/generated/layouts.ts';
import { openDevice } from '../../../src/gpu/device.ts';
import { record, type Dispatch } from '../../../src/gpu/kernels.ts';
import { bindSteps, variantsOfSteps } from '../../../src/gpu/passes.ts';
import { planQuery } from '../../../src/gpu/planner.ts';
import { spatialPlanner } from '../../../src/gpu/plan.ts';
import type { KernelStep } from '../../../src/gpu/steps.ts';
import { encodeCopies, readCopies } from '../../../src/gpu/read-back.ts';
import { createSession } from '../../../src/gpu/session.ts';
import { spaceRecords } from '../../../src/records/layout.ts';
import { packShapes } from '../../../src/records/shapes.ts';
import { throttleWhile } from '../../../src/node/throttle-polling.ts';
import type { HullDescription } from '../../../src/api/shapes.ts';
import type { ShapeData } from '../../../src/shapes/shape-data.ts';
import { addShape, createShapeTable } from '../../../src/shapes/shape-table.ts';
import { dimension3 } from '../../../src/dimension/dim3.ts';
import { emptyFamily, putRandomPair, shapeCores, type Family } from '../../../verification/families/family.ts';
import { below, createRandom, unitVector, type Random } from '../../../verification/families/random.ts';
import { kernelScene } from '../kernel-scene.ts';
import { describeMachine } from '../../machine.ts';
import { hullOf } from '../../../verification/families/hulls.ts';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '65536' }, repeats: { type: 'string', default: '7' } },
});
const PAIRS = Number(values.pairs);
const REPEATS = Number(values.repeats);
const SHAPES = 64;
const SEED = 7;
const SIZES = [4, 8, 12, 16, 32, 64, 128];
/** Buckets along an edge of the cube of directions. */
const BUCKETS = 4;
/** Dispatches of a timed submission: words of its end come late. */
const DISPATCHES = 4;

/** What stands in the way's place in `supportOfPolytope`. */
const WAYS: readonly [name: string, body: string | null][] = [
  [
    'all vertices',
    `
      var best = 0u;
      var bestHeight = -1e30;
      for (var i = 0u; i < core.vertexCount; i++) {
        let height = dot(geometryVector(core.firstRow + i), direction);
        if (height > bestHeight) {
          bestHeight = height;
          best = i;
        }
      }
      return CoreVertex(geometryVector(core.firstRow + best) * core.scale, best);`,
  ],
  [
    'hill climbing',
    `
      let edges = core.firstCellRow + (6u * ${BUCKETS}u * ${BUCKETS}u + 3u) / 4u;
      let bucket = cellOf(direction, ${BUCKETS}u);
      var best = geometry[core.firstCellRow + (bucket >> 2u)][bucket & 3u];
      var bestHeight = dot(geometryVector(core.firstRow + best), direction);
      for (var step = 0u; step < core.vertexCount; step++) {
        let end = best + 1u;
        let rows = core.firstCellRow + vec2u(geometry[edges + (best >> 2u)][best & 3u], geometry[edges + (end >> 2u)][end & 3u]);
        let start = best;
        for (var row = rows.x; row < rows.y; row++) {
          let height = dot(geometryVector(row), direction);
          if (height > bestHeight) {
            bestHeight = height;
            best = geometryIndex(row);
          }
        }
        if (best == start) {
          break;
        }
      }
      return CoreVertex(geometryVector(core.firstRow + best) * core.scale, best);`,
  ],
  ['cells', null],
  // What graphics cards use.
  ['packed cells', null],
];

function familyOf(count: number): Family {
  const random = createRandom(SEED);
  const family = emptyFamily(
    `hull${count}`,
    Array.from({ length: SHAPES }, () => (count < 8 ? simplexOf(random, count) : hullOf(random, count))),
    PAIRS,
  );
  const cores = shapeCores(family.shapes);
  for (let i = 0; i < PAIRS; i++)
    putRandomPair(random, family, cores, i, [below(random, SHAPES), below(random, SHAPES)]);
  return family;
}

function simplexOf(random: Random, count: number): HullDescription {
  return {
    type: 'hull',
    points: Float32Array.from(
      Array.from({ length: count }, () => Array.from(unitVector(random, [0, 0, 0]), (x) => 2 * x)).flat(),
    ),
  };
}

/**
 * The buffers with, in the place of each hull's cells, a start vertex for each bucket, then for each vertex where its
 * neighbours begin, counted in rows from the first of these, then the neighbours: x, y, z, vertex number.
 */
function packForClimbing(shapes: readonly ShapeData[]): { shapes: ArrayBuffer; geometry: ArrayBuffer } {
  const packed = packShapes(shapes);
  const records = new DataView(packed.shapes);
  const rows: number[][] = Array.from({ length: packed.geometry.byteLength / 16 }, (_, row) => [
    ...new Uint32Array(packed.geometry, 16 * row, 4),
  ]);
  shapes.forEach(({ vertices, edges, supportCells: { resolution, start, candidates } }, id) => {
    const at = id * layouts.Shape.size + layouts.Shape.fields.firstCellRow.offset;
    const first = rows.length;
    records.setUint32(at, first, true);
    const count = vertices.length / 3;
    const neighbours = Array.from({ length: count }, () => new Array<number>());
    for (let i = 0; i < edges.length; i += 2) {
      neighbours[edges[i]].push(edges[i + 1]);
      neighbours[edges[i + 1]].push(edges[i]);
    }
    // The first candidate of a cell in the bucket.
    const starts = Array.from({ length: 6 * BUCKETS * BUCKETS }, (_, bucket) => {
      const [face, v, u] = [
        Math.floor(bucket / BUCKETS ** 2),
        Math.floor(bucket / BUCKETS) % BUCKETS,
        bucket % BUCKETS,
      ].map((n, i) => (i === 0 ? n : Math.floor(((n + 0.5) * resolution) / BUCKETS)));
      return candidates[start[(face * resolution + v) * resolution + u]];
    });
    const offsets = [0];
    for (const list of neighbours) offsets.push(offsets.at(-1)! + list.length);
    const startRows = Math.ceil(starts.length / 4) + Math.ceil(offsets.length / 4);
    for (const words of [starts, offsets.map((offset) => startRows + offset)]) {
      for (let i = 0; i < words.length; i += 4) rows.push([0, 1, 2, 3].map((k) => words[i + k] ?? 0));
    }
    const bits = new Uint32Array(new Float32Array(Array.from(vertices)).buffer);
    for (const list of neighbours)
      for (const vertex of list) rows.push([...bits.subarray(3 * vertex, 3 * vertex + 3), vertex]);
  });
  return { shapes: packed.shapes, geometry: new Uint32Array(rows.flat()).buffer };
}

const [driver] = await dawnDrivers();
const { device, adapter } = await withDawn(driver, (gpu) => openDevice(gpu, {}));
device.addEventListener('uncapturederror', ({ error }) => {
  throw new Error(error.message);
});
const session = createSession(device, adapter.isSoftware, () => {});
const { kernels, pool } = session;

/** Milliseconds of a dispatch. */
async function time(dispatch: Dispatch): Promise<number> {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  record(pass, Array(DISPATCHES).fill(dispatch));
  pass.end();
  const start = performance.now();
  device.queue.submit([encoder.finish()]);
  await throttleWhile(device.queue.onSubmittedWorkDone());
  return (performance.now() - start) / DISPATCHES;
}

/** The pipeline with another body of `supportOfPolytope`. */
async function pipelineOf(
  [name, body]: (typeof WAYS)[number],
  { variant }: KernelStep,
  layout: GPUBindGroupLayout,
): Promise<GPUComputePipeline> {
  const code = await kernelCode(variant.kernel);
  const pattern =
    /(fn supportOfPolytope\([^]*?default: \{)[^]*?return CoreVertex\(best.position \* core.scale, number\);/;
  if (!pattern.test(code)) throw new Error('the support mapping of hulls was not found');
  const changed = body === null ? code : code.replace(pattern, (_, head: string) => head + body);
  return device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: {
      module: device.createShaderModule({ code: changed }),
      entryPoint: 'main',
      constants: { ...variant.constants, SMALL_HULLS: 0, PACKED_CELLS: Number(name === 'packed cells') },
    },
  });
}

const { words } = spaceRecords.sizes.distances;
const { cpu, cores, memoryGiB, os, node } = describeMachine();
console.log(`# Support mappings of hulls on the GPU

\`node scripts/run-ts.mjs bench/experiments/support-mapping/support-mapping.ts --pairs ${PAIRS} --repeats ${REPEATS}\`, \
${new Date().toISOString().slice(0, 10)}

- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Adapter: ${adapter.description || adapter.vendor}${adapter.isSoftware ? ' (software)' : ''}

GJK for \`distances\` of ${PAIRS} pairs, half of them hits, the same kernel but for the support mapping; medians of \
${REPEATS} rounds in turns, from submission until
done. "candidates" is the mean number of vertices in a cell. The distances of the ways differ by at most the last \
column, in shares of the pair's size.

| vertices | candidates | ${WAYS.map(([name]) => `${name} M pairs/s`).join(' | ')} | cells / all | \
cells / climbing | cells / packed | difference |
| ---: | ---: | ${WAYS.map(() => '---:').join(' | ')} | ---: | ---: | ---: | ---: |`);
for (const count of SIZES) {
  const family = familyOf(count);
  const table = createShapeTable();
  for (const shape of family.shapes) addShape(table, shape, dimension3);
  const shapes = table.shapes as ShapeData[];
  const { context, sizes, buffers } = kernelScene(session, 'distances', family, table, Infinity);
  const plan = planQuery(
    spatialPlanner,
    {
      query: 'distances',
      leadStage: 'none',
      bodies: family.bodies,
      pairs: family.pairs,
      shapes: table,
      margin: Infinity,
    },
    session.kernels.adapter,
  );
  await kernels.prepare(variantsOfSteps(plan.steps));
  const ways: { dispatch: Dispatch; times: number[]; distances: Float32Array }[] = [];
  for (const way of WAYS) {
    const packed = way[0] === 'hill climbing' ? packForClimbing(shapes) : undefined;
    const others = packed && {
      shapeRecords: pool.upload('shapes for climbing', packed.shapes),
      geometry: pool.upload('geometry for climbing', packed.geometry),
    };
    const [dispatch] = bindSteps(context, plan, plan.steps, sizes, { ...buffers, ...others });
    const pipeline = await pipelineOf(way, plan.steps[0] as KernelStep, dispatch.pipeline.getBindGroupLayout(0));
    ways.push({
      dispatch: { ...dispatch, pipeline },
      times: [],
      distances: await distancesBy({ ...dispatch, pipeline }, buffers.records),
    });
  }
  for (let round = 0; round < REPEATS; round++)
    for (const { dispatch, times } of ways) times.push(await time(dispatch));
  const rates = ways.map(({ times }) => PAIRS / median(times) / 1e3);
  const ratio = (other: number): string =>
    median(ways[2].times.map((ms, round) => ways[other].times[round] / ms)).toFixed(2);
  const { extents } = shapeCores(family.shapes);
  const size = (pair: number): number =>
    extents[family.bodies.shapes[2 * pair]] + extents[family.bodies.shapes[2 * pair + 1]];
  let difference = 0;
  for (const { distances } of ways)
    distances.forEach(
      (value, pair) => (difference = Math.max(difference, Math.abs(value - ways[2].distances[pair]) / size(pair))),
    );
  const candidates =
    shapes.reduce(
      (sum, { supportCells }) => sum + supportCells.candidates.length / (supportCells.start.length - 1),
      0,
    ) / SHAPES;
  console.log(
    `| ${count} | ${candidates.toFixed(1)} | ${rates.map((rate) => rate.toPrecision(3)).join(' | ')} | ` +
      `${ratio(0)} | ${ratio(1)} | ${ratio(3)} | ${difference.toExponential(1)} |`,
  );
}
process.exit();

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

async function distancesBy(dispatch: Dispatch, results: GPUBuffer): Promise<Float32Array> {
  await time(dispatch);
  const encoder = device.createCommandEncoder();
  const regions = [{ buffer: results, offset: 0, size: results.size }];
  const staging = encodeCopies(pool, encoder, regions);
  device.queue.submit([encoder.finish()]);
  const [records] = await readCopies(staging, regions);
  const numbers = new Float32Array(records);
  return Float32Array.from({ length: PAIRS }, (_, pair) => numbers[words * pair + spaceRecords.fields.distance]);
}
