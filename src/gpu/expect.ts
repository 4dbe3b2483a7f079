/**
 * Checks of WebGPU objects that callers pass. The objects may be wrapped, or belong to another realm, so the checks look
 * at their methods and not at their class.
 */
import { invalidInput } from '../api/errors.ts';

const DEVICE = [
  'createBuffer',
  'createBindGroup',
  'createBindGroupLayout',
  'createPipelineLayout',
  'createShaderModule',
  'createComputePipelineAsync',
  'createCommandEncoder',
  'createQuerySet',
  'pushErrorScope',
  'popErrorScope',
] as const satisfies readonly (keyof GPUDevice)[];
const QUEUE = ['submit', 'writeBuffer'] as const satisfies readonly (keyof GPUQueue)[];
const ENCODER = [
  'beginComputePass',
  'clearBuffer',
  'copyBufferToBuffer',
] as const satisfies readonly (keyof GPUCommandEncoder)[];

/** Throws `INVALID_INPUT` unless `device` has the members of a device that this package uses. */
export function expectDevice(field: string, device: GPUDevice): void {
  expectMethods(field, device, 'a GPUDevice', DEVICE);
  expectMethods(`${field}.queue`, device.queue, 'a GPUQueue', QUEUE);
  expectMethods(`${field}.features`, device.features, 'GPUSupportedFeatures', ['has']);
  expectMethods(`${field}.lost`, device.lost, 'a promise', ['then']);
  expectMethods(`${field}.limits`, device.limits, 'GPUSupportedLimits', []);
}

export function expectEncoder(field: string, encoder: GPUCommandEncoder): void {
  expectMethods(field, encoder, 'a GPUCommandEncoder', ENCODER);
}

function expectMethods(field: string, value: unknown, expected: string, methods: readonly string[]): void {
  if (typeof value !== 'object' || value === null) invalidInput(field, value, expected);
  const missing = methods.find((name) => typeof (value as Record<string, unknown>)[name] !== 'function');
  if (missing) invalidInput(field, value, `${expected}, which has the method ${missing}`);
}
