/** Commands that were recorded before the shapes changed, and are submitted after. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { readBuffer } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';

let device: GPUDevice;
beforeAll(async () => {
  device = await openDefaultDevice('batch-recorded.device');
});
afterAll(() => device?.destroy());

/** What the tests use of a batch and of a tester, of either dimension. */
interface AnyBatch {
  readonly output: { readonly records: GPUBuffer; readonly counts: GPUBuffer };
  prepare(): Promise<void>;
  write(data: object): void;
  encode(encoder: GPUCommandEncoder): void;
  dispose(): void;
}

/** A recorded frame, whose records and counts go to buffers of its own. */
function record({ output, encode }: AnyBatch): { commands: GPUCommandBuffer; answer(): Promise<number[]> } {
  const encoder = device.createCommandEncoder();
  encode(encoder);
  const copies = [output.records, output.counts].map((buffer) => {
    const copy = device.createBuffer({ size: buffer.size, usage: 4 | 8 });
    encoder.copyBufferToBuffer(buffer, 0, copy, 0, buffer.size);
    return copy;
  });
  return {
    commands: encoder.finish(),
    async answer() {
      const bytes = await Promise.all(copies.map((copy) => readBuffer(device, copy)));
      return bytes.flatMap((each) => Array.from(new Uint32Array(each)));
    },
  };
}

const corners = (x: number): number[] => [-1, -1, -1, x, 0, 0, 0, 1, 0, 0, 0, 1, -1, 1, 1];
const hull = (x: number) => ({ type: 'hull', points: corners(x) }) as const;
const triangle = (x: number) => ({ type: 'polygon', points: [-x, -x, x, 0, -x, x] }) as const;
const bodies = {
  shapes: Uint32Array.of(0, 1, 0),
  positions: Float32Array.of(0, 0, 0, 1.5, 0, 0, 0, 1.25, 0),
  quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
};
const planarBodies = {
  shapes: bodies.shapes,
  positions: Float32Array.of(0, 0, 1.5, 0, 0, 1.25),
  angles: new Float32Array(3),
};
const pairs = Uint32Array.of(0, 1, 0, 2, 1, 2);
const rays = { origins: Float32Array.of(-9, 0, 0, 1.5, -9, 0), directions: Float32Array.of(1, 0, 0, 0, 1, 0) };
const space = { maxBodies: 3, maxPairs: 16 };
const moving = { ...bodies, linearVelocities: Float32Array.of(1, 0, 0, -1, 0, 0, 0, -1, 0) };

interface AnyTester {
  addShape(description: object): number;
  removeShape(id: number): void;
  createBodies(bodies: object): { dispose(): void };
  createBatch(options: object): Promise<AnyBatch>;
  dispose(): void;
}

interface Case {
  /** Adds the shape number `i` of many. */
  add(tester: AnyTester, i: number): number;
  /** Adds a shape that needs another plan. */
  addOther?(tester: AnyTester): number;
  dimension?: 2;
  options: object;
  data: object;
  isResident?: true;
}

const inSpace = (tester: Pick<Tester, 'addShape'>, i: number): number => tester.addShape(hull(1 + i / 8));
const inPlane = (tester: AnyTester, i: number): number => tester.addShape(triangle(1 + i / 8));
const cases: Record<string, Case> = {
  distances: {
    add: inSpace,
    options: { query: 'distances', ...space },
    data: { bodies, pairs },
    addOther: (tester) => tester.addShape({ type: 'sphere', radius: 1 }),
  },
  'distances of pairs that it finds': {
    add: inSpace,
    options: { query: 'distances', broadPhase: { margin: 1 }, ...space },
    data: { bodies },
  },
  'impacts of resident bodies': {
    add: inSpace,
    options: { query: 'impacts', duration: 1, results: 'earliest', ...space },
    data: { pairs },
    isResident: true,
  },
  'ray casts': { add: inSpace, options: { query: 'rayCasts', maxRays: 2, ...space }, data: { bodies, rays } },
  'contacts in the plane': {
    add: inPlane,
    dimension: 2,
    options: { query: 'contacts', ...space },
    data: { bodies: planarBodies, pairs },
    addOther: (tester) => tester.addShape({ type: 'capsule', halfHeight: 1, radius: 1 }),
  },
};

describe.each(Object.entries(cases))(
  'a recorded batch of %s',
  (_, { add, addOther, dimension, options, data, isResident }) => {
    test('answers as before where shapes were added, before and after those recorded later', async () => {
      await withoutErrors(device, async () => {
        const tester = (await createTester({ device, dimension } as object)) as unknown as AnyTester;
        for (let i = 0; i < 2; i++) add(tester, i);
        const resident = isResident && tester.createBodies(moving);
        const batch = await tester.createBatch({ ...options, ...(resident && { bodies: resident }) });
        batch.write(data);
        const now = record(batch);
        device.queue.submit([now.commands]);
        const recorded = [record(batch)];
        // Enough for the buffers to be replaced several times.
        for (let count = 2; count < 40; count *= 3) {
          for (let i = count; i < 3 * count; i++) add(tester, i);
          recorded.push(record(batch));
        }
        tester.removeShape(5);
        recorded.push(record(batch));
        addOther?.(tester);
        await batch.prepare();
        recorded.push(record(batch));
        resident?.dispose();
        // The first of all comes last.
        device.queue.submit(recorded.reverse().map(({ commands }) => commands));
        const expected = await now.answer();
        expect(expected.some((word) => word !== 0)).toBe(true);
        for (const each of recorded) expect(await each.answer()).toEqual(expected);
        tester.dispose();
      });
    });
  },
);

test('a duration that is written after recording counts for all that is submitted from then on', async () => {
  await withoutErrors(device, async () => {
    const tester = await createTester({ device });
    for (const radius of [1, 1.5]) tester.addShape({ type: 'sphere', radius });
    const batch = await tester.createBatch({ query: 'impacts', duration: 0.01, broadPhase: true, ...space });
    batch.write({ bodies: { ...moving, positions: Float32Array.of(0, 0, 0, 3, 0, 0, 0, 9, 0) } });
    const early = record(batch as never);
    tester.addShape({ type: 'halfspace', normal: [0, 1, 0], offset: 0 });
    await batch.prepare();
    const late = record(batch as never);
    batch.write({ duration: 4 });
    device.queue.submit([early.commands]);
    expect((await batch.readCounts()).hits).toBe(1);
    device.queue.submit([late.commands]);
    expect((await batch.readCounts()).hits).toBe(1);
    expect(await early.answer()).toEqual(await late.answer());
    tester.dispose();
  });
});

/** A device, and the bytes of its buffers that are not destroyed. */
async function counted(): Promise<{ own: GPUDevice; living(): number }> {
  const own = await openDefaultDevice('batch-recorded.memory');
  const create = own.createBuffer.bind(own);
  let bytes = 0;
  own.createBuffer = (descriptor) => {
    const buffer = create(descriptor);
    const destroy = buffer.destroy.bind(buffer);
    let isAlive = true;
    bytes += buffer.size;
    buffer.destroy = () => {
      if (isAlive) bytes -= buffer.size;
      isAlive = false;
      destroy();
    };
    return buffer;
  };
  return { own, living: () => bytes };
}

describe('the memory of a batch', () => {
  test('is bounded while shapes are added or replaced in every frame, and is freed with it', async () => {
    const { own, living } = await counted();
    const tester = await createTester({ device: own });
    for (let i = 0; i < 2; i++) inSpace(tester, i);
    const before = living();
    for (const isReplaced of [true, false]) {
      const batch = await tester.createBatch({ query: 'pairs', broadPhase: { margin: 1 }, maxBodies: 3, maxPairs: 3 });
      batch.write({ bodies });
      const atFirst = living();
      let afterHalf = 0;
      for (let i = 2; i < 202; i++) {
        const id = inSpace(tester, i);
        const encoder = own.createCommandEncoder();
        batch.encode(encoder);
        own.queue.submit([encoder.finish()]);
        if (isReplaced) tester.removeShape(id);
        if (i === 101) afterHalf = living() - atFirst;
      }
      expect(afterHalf).toBeGreaterThan(0);
      // Twice as many shapes, and room for twice as many.
      expect(living() - atFirst).toBeLessThanOrEqual((isReplaced ? 1 : 2.5) * afterHalf);
      batch.dispose();
      expect(living()).toBe(before);
    }
    tester.dispose();
    own.destroy();
  });
});
