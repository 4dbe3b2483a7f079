/** Numbers for the vertex stage of three.js: buffers of the simulation's device, or textures where there is none. */

import { DataTexture, FloatType } from 'three';
import { RGBAFormat } from 'three/webgpu';
import type { BufferAttribute, WebGPURenderer } from 'three/webgpu';

/** Texels per row of a texture. */
export const ROW = 1024;

/** A texture for `texels` times four floats. */
export function floatTexture(texels: number): DataTexture {
  const rows = Math.ceil(texels / ROW);
  return new DataTexture(new Float32Array(4 * ROW * rows), ROW, rows, RGBAFormat, FloatType);
}

/** Lets the renderer take this buffer for an attribute, instead of one of its own. */
export function useBuffer(renderer: WebGPURenderer, attribute: BufferAttribute, buffer: GPUBuffer): void {
  const backend = renderer.backend as unknown as { get(key: object): { buffer?: GPUBuffer } };
  backend.get(attribute).buffer = buffer;
}
