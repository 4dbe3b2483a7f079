/**
 * Has a build of the package make the kernels of a case as for a graphics card, on whatever adapter there is, which is made to
 * look like one. The layer (spirv-layer.c) writes the modules to $SPIRV_FOLDER:
 *
 *     node scripts/run-ts.mjs bench/compilers/collect.ts BUILD CASE
 *
 * BUILD is a folder with dist/.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { create } from 'webgpu';
import { CASES } from './cases.ts';

const CARD = {
  vendor: 'amd',
  architecture: 'rdna-3',
  device: '',
  description: 'a graphics card',
  subgroupMinSize: 32,
  subgroupMaxSize: 64,
  isFallbackAdapter: false,
};

const [build, name] = process.argv.slice(2);
const folder = process.env.SPIRV_FOLDER!;
const found = CASES.find((each) => each.name === name)!;
const { createTester } = (await import(
  pathToFileURL(resolve(build, 'dist/node.js')).href
)) as typeof import('../../src/node.ts');

/** Pipelines are made one after the other, so that the label is that of the module. */
let last: Promise<unknown> = Promise.resolve();

function writeLabel(label: string): void {
  writeFileSync(join(folder, 'label'), label);
}

function labelled(device: GPUDevice): GPUDevice {
  const make = device.createComputePipelineAsync.bind(device);
  device.createComputePipelineAsync = (descriptor) => {
    const made = last.then(async () => {
      writeLabel(`${descriptor.label} ${descriptor.compute.entryPoint}`);
      const pipeline = await make(descriptor);
      // Dawn has kernels of its own.
      writeLabel('');
      return pipeline;
    });
    last = made;
    return made;
  };
  return device;
}

/** The object with some properties in place of its own. */
function over<T extends object>(object: T, own: object): T {
  return new Proxy(object, {
    get(target, key) {
      if (key in own) return (own as Record<PropertyKey, unknown>)[key];
      const value = Reflect.get(target, key, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const dawn = create(['backend=vulkan']);
const gpu = over(dawn, {
  async requestAdapter(options?: GPURequestAdapterOptions) {
    const adapter = (await dawn.requestAdapter(options))!;
    return over(adapter, {
      info: CARD,
      isFallbackAdapter: false,
      requestDevice: async (descriptor?: GPUDeviceDescriptor) => labelled(await adapter.requestDevice(descriptor)),
    });
  },
});

const { dimension, shapes, options } = found;
// Types of both dimensions, and of other builds.
const tester = await createTester({ backend: 'webgpu', gpu, dimension } as never);
for (const shape of shapes) tester.addShape(shape as never);
await ('maxBodies' in options ? tester.createBatch(options as never) : tester.prepare(options as never));
await last;
process.exit(0);
