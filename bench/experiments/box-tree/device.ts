/** The broad phase's grid, the tree of boxes and rays on a device, without the steps before and after them. */
import { join } from 'node:path';
import { create } from 'webgpu';
// @ts-expect-error: the script has no types.
import { linkModules } from '../../../scripts/shaders/link.mjs';
import { dimension3 } from '../../../src/dimension/dim3.ts';
import { MOTION_NONE } from '../../../src/generated/constants.ts';
import { packParameters } from '../../../src/gpu/broad-phase/parameters.ts';
import { ALL_SLOTS } from '../../../src/gpu/broad-phase/binder.ts';
import { bindGrid } from '../../../src/gpu/broad-phase/grid.ts';
import { toleranceOfTable } from '../../../src/gpu/broad-phase/tolerance.ts';
import { bindTree, treeVariants } from '../../../src/gpu/broad-phase/tree.ts';
import { gridVariants } from '../../../src/gpu/broad-phase/variants.ts';
import { encodePass } from '../../../src/gpu/encode-query.ts';
import { gridWidth, type Dispatch } from '../../../src/gpu/kernels.ts';
import { encodeCopies, readCopies, type Region } from '../../../src/gpu/read-back.ts';
import { bindRays, rayVariants } from '../../../src/gpu/rays/search.ts';
import { createSession } from '../../../src/gpu/session.ts';
import { throttleWhile } from '../../../src/node/throttle-polling.ts';
import { packBodies, packVelocities } from '../../../verification/records/packed-bodies.ts';
import { readFileSync } from 'node:fs';
import type { BoxBodies } from './bodies.ts';
import { crates } from './crates.ts';

export interface BoxRays {
  origins: Float32Array;
  directions: Float32Array;
  maxTimes: Float32Array;
}

const FORM = { isPlanar: false, hasFixedPoint: false };
const SHADERS = join(import.meta.dirname, '../../../shaders');
const COUNT_PAIRS = join(import.meta.dirname, 'count-pairs.wgsl');
/** Of count-pairs.wgsl. */
const BINDINGS = { parameters: 0, poses: 3, bounds: 5, owners: 13, partners: 14, tree: 16, nodes: 17 } as const;
/** As count-pairs.wgsl has it. */
const MOST_MET = 64;

/** Kept: Dawn crashes when an instance is collected while its devices live. */
const gpu = create([]);

export async function openDevice() {
  const adapter = (await gpu.requestAdapter())!;
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  const device = await adapter.requestDevice({ requiredLimits: { maxStorageBufferBindingSize, maxBufferSize } });
  const isSoftware = /swiftshader|llvmpipe/i.test(adapter.info.description + adapter.info.device);
  const session = createSession(device, isSoftware, () => {});
  const { kernels, pool } = session;
  const context = { device, kernels, pool, uniform: pool.uniform };
  await kernels.prepare([
    ...gridVariants(FORM, kernels, false),
    ...treeVariants(FORM),
    ...Object.values(rayVariants(FORM, dimension3)),
  ]);
  const table = crates();
  const packedShapes = dimension3.packShapes(table.shapes as never);
  const shapeRecords = pool.upload('shapes', packedShapes.shapes);
  const geometry = pool.upload('geometry', packedShapes.geometry);
  const countPairs = await pairCounter(device);

  async function run(dispatches: readonly Dispatch[], cleared: readonly GPUBuffer[], regions: Region[]) {
    const encoder = device.createCommandEncoder();
    for (const buffer of cleared) encoder.clearBuffer(buffer);
    encodePass(encoder, dispatches, {});
    const staging = encodeCopies(pool, encoder, regions);
    device.queue.submit([encoder.finish()]);
    return throttleWhile(readCopies(staging, regions));
  }
  const sizesFor = (count: number, total = count) => ({
    bodyCount: total,
    bodyCapacity: count,
    shapeCount: 1,
    pairCapacity: 0,
    margin: 0,
    tolerance: toleranceOfTable(table.shapes, dimension3),
    motion: MOTION_NONE,
    duration: 0,
    cellSize: 1,
  });

  /** Uploads bodies. The searches resolve to the number of all pairs. */
  function load({ bodies, count }: BoxBodies) {
    const { poses, bodyShapes } = packBodies(bodies, dimension3);
    const input = {
      shapeRecords,
      geometry,
      poses: pool.upload('poses', poses),
      bodyShapes: pool.upload('bodies', bodyShapes),
    };
    const sizes = sizesFor(count);
    const grid = bindGrid(context, FORM, sizes, input, pool.get('foundPairs', 0));
    const tree = bindTree(context, FORM, sizes, input);
    const owners = pool.get('treeOwners', 8 * count);
    const invocations = 256 * Math.ceil(count / 256);
    const parameters = pool.uniform('parameters.countPairs', packParameters(device, sizes, invocations));
    const partners = pool.get('treePartners', 4 * MOST_MET * count);
    const bounds = pool.get('tree.bounds', 0);
    const ofTree = { parameters, poses: input.poses, bounds, owners, partners, tree: tree.tree, nodes: tree.nodes };
    const counting = countPairs(ofTree, count);
    return {
      async countByGrid() {
        const search = grid.search(false, { ...ALL_SLOTS, count });
        const [total] = await run([...grid.ordering, search, ...grid.summing], grid.cleared, [grid.total]);
        return new Uint32Array(total)[0];
      },
      async countByTree() {
        const [all] = await run(
          [...tree.dispatches, counting],
          [...tree.cleared, owners],
          [{ buffer: owners, offset: 0, size: 8 * count }],
        );
        return new Uint32Array(all).reduce((sum, n) => sum + n, 0);
      },
      async buildTree() {
        await run(tree.dispatches, tree.cleared, [{ buffer: tree.tree, offset: 0, size: 8 }]);
      },
      /** The search resolves to the number of bodies that all rays may meet. */
      loadRays({ origins, directions, maxTimes }: BoxRays) {
        const rayCount = maxTimes.length;
        const total = count + rayCount;
        const upright = new Float32Array(4 * rayCount).map((_, i) => (i % 4 === 3 ? 1 : 0));
        const packed = packBodies(
          {
            shapes: joined(new Uint32Array(total), bodies.shapes, []),
            positions: joined(new Float32Array(3 * total), bodies.positions, origins),
            quaternions: joined(new Float32Array(4 * total), bodies.quaternions, upright),
            scales: joined(new Float32Array(total).fill(1e-30), bodies.scales!, []),
          },
          dimension3,
        );
        const motion = {
          linear: joined(new Float32Array(3 * total), new Float32Array(3 * count), directions),
          duration: 0,
        };
        const withRays = {
          ...input,
          poses: pool.upload('rays.poses', packed.poses),
          bodyShapes: pool.upload('rays.bodies', packed.bodyShapes),
          velocities: pool.upload('velocities', packVelocities(motion, dimension3)),
          maxTimes: pool.upload('maxTimes', maxTimes),
        };
        const raySizes = { ...sizesFor(count, total), rayCount, rayCapacity: rayCount };
        const ofRays = bindTree(context, FORM, raySizes, withRays);
        const rays = bindRays(context, dimension3, FORM, raySizes, ofRays, withRays, pool.get('foundPairs', 0));
        return async () => {
          const cleared = [...ofRays.cleared, ...rays.cleared];
          const [found] = await run([...ofRays.dispatches, ...rays.counting], cleared, [rays.total]);
          return new Uint32Array(found)[0];
        };
      },
    };
  }
  return { adapter: adapter.info.description || adapter.info.device, load };
}

/** Both in `of`. */
function joined<Numbers extends Float32Array | Uint32Array>(
  of: Numbers,
  first: ArrayLike<number>,
  rest: ArrayLike<number>,
): Numbers {
  of.set(first);
  of.set(rest, first.length);
  return of;
}

/** Makes dispatches of count-pairs.wgsl. */
async function pairCounter(device: GPUDevice) {
  const entry = { file: COUNT_PAIRS, text: readFileSync(COUNT_PAIRS, 'utf8') };
  const linked = linkModules(SHADERS, 'count-pairs', entry) as Map<string, string>;
  const code = [...linked.values()].join('\n');
  const module = device.createShaderModule({ code });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'main' } });
  return (buffers: Record<keyof typeof BINDINGS, GPUBuffer>, count: number): Dispatch => {
    const bindGroup = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: Object.entries(BINDINGS).map(([name, binding]) => ({
        binding,
        resource: { buffer: buffers[name as keyof typeof BINDINGS] },
      })),
    });
    const workgroups = Math.ceil(count / 256);
    const width = gridWidth(device, workgroups);
    return { pipeline, bindGroup, width, height: Math.ceil(workgroups / width) };
  };
}
