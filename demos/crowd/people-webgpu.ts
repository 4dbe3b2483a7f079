/** Draws people and doors on the GPU, from the buffers of the simulation. */

import { planarShapesWgsl } from 'narrowphase/wgsl';
import type { Camera } from './camera.ts';
import { fitCanvas } from './fit-canvas.ts';
import type { GpuCrowd } from './gpu-crowd.ts';
import { channels, palette, STILL_SHARE, WALKING_SPEED } from './palette.ts';
import { DOOR_THICKNESS, LEAF } from './scenes.ts';
import drawing from './wgsl/drawing.wgsl?raw';
import person from './wgsl/person.wgsl?raw';
import { CAPSULE, CIRCLE } from './world.ts';

export type DrawGpuCrowd = (crowd: GpuCrowd, camera: Camera) => void;

const HEADING = 0.75;

const VIEW_FLOATS = 12 + 4 * 7;

export async function createGpuDrawing(canvas: HTMLCanvasElement, device: GPUDevice): Promise<DrawGpuCrowd> {
  const context = canvas.getContext('webgpu');
  if (!context) throw new Error('the browser has no WebGPU canvas');
  const format = navigator.gpu.getPreferredCanvasFormat();
  context.configure({ device, format, alphaMode: 'premultiplied' });
  const code = [planarShapesWgsl, person, drawing].join('\n');
  const module = device.createShaderModule({ label: 'Crowd.drawing', code });
  const visible = { visibility: GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT };
  const layout = device.createBindGroupLayout({
    entries: [
      { binding: 0, ...visible, buffer: { type: 'uniform' } },
      { binding: 1, visibility: GPUShaderStage.VERTEX, buffer: { type: 'read-only-storage' } },
      { binding: 2, visibility: GPUShaderStage.VERTEX, buffer: { type: 'read-only-storage' } },
    ],
  });
  const over: GPUBlendComponent = { srcFactor: 'one', dstFactor: 'one-minus-src-alpha' };
  const pipelineOf = (vertex: string, fragment: string): Promise<GPURenderPipeline> =>
    device.createRenderPipelineAsync({
      label: `Crowd.${vertex}`,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      vertex: { module, entryPoint: vertex },
      fragment: { module, entryPoint: fragment, targets: [{ format, blend: { color: over, alpha: over } }] },
      primitive: { topology: 'triangle-strip' },
    });
  const [people, doors] = await Promise.all([pipelineOf('person', 'paintPerson'), pipelineOf('leaf', 'paintLeaf')]);
  const view = device.createBuffer({
    label: 'Crowd.view',
    size: 4 * VIEW_FLOATS,
    usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
  });

  return (crowd, camera) => {
    const ratio = fitCanvas(canvas);
    device.queue.writeBuffer(view, 0, viewRecord(canvas, camera, ratio, crowd.world.people));
    const buffers = [view, crowd.poses, crowd.persons];
    const group = device.createBindGroup({
      layout,
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const encoder = device.createCommandEncoder({ label: 'Crowd.draw' });
    const target = context.getCurrentTexture().createView();
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ view: target, loadOp: 'clear', storeOp: 'store', clearValue: [0, 0, 0, 0] }],
    });
    pass.setBindGroup(0, group);
    pass.setPipeline(doors);
    pass.draw(4, crowd.world.leaves);
    pass.setPipeline(people);
    pass.draw(4, crowd.world.people);
    pass.end();
    device.queue.submit([encoder.finish()]);
  };
}

/** The struct `View`. */
function viewRecord(
  canvas: HTMLCanvasElement,
  camera: Camera,
  ratio: number,
  people: number,
): Float32Array<ArrayBuffer> {
  const colors = palette();
  const record = new Float32Array(VIEW_FLOATS);
  record.set([camera.x, camera.y, (2 * camera.scale) / canvas.clientWidth, (2 * camera.scale) / canvas.clientHeight]);
  record[4] = 1 / (camera.scale * ratio);
  new Uint32Array(record.buffer)[5] = people;
  record.set([CIRCLE.radius, CAPSULE.radius, CAPSULE.halfHeight, LEAF / 2, DOOR_THICKNESS / 2], 6);
  record[11] = WALKING_SPEED;
  record.set(row(colors.door, 1), 12);
  record.set(row(colors.still, STILL_SHARE), 16);
  record.set(row(colors.heading, HEADING), 20);
  colors.zones.forEach((color, k) => record.set(row(color, 1), 24 + 4 * k));
  return record;
}

function row(color: string, alpha: number): number[] {
  return [...channels(color), alpha];
}
