/** Writes GLB files of named meshes, one node per mesh. */

import type { Solid } from './solids.ts';

export interface SamplePart {
  name: string;
  solid: Solid;
  position: readonly [number, number, number];
  /** x, y, z, w. */
  rotation?: readonly [number, number, number, number];
}

const FLOAT = 5126;
const UNSIGNED_INT = 5125;
const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

export function glbOf(name: string, parts: readonly SamplePart[]): Uint8Array<ArrayBuffer> {
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  const pieces: ArrayBuffer[] = [];
  let length = 0;
  const add = (values: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>, accessor: object): number => {
    bufferViews.push({ buffer: 0, byteOffset: length, byteLength: values.byteLength });
    pieces.push(values.buffer);
    length += values.byteLength;
    return accessors.push({ bufferView: bufferViews.length - 1, ...accessor }) - 1;
  };
  const meshes = parts.map(({ solid }) => {
    const positions = Float32Array.from(solid.positions);
    const position = add(positions, {
      componentType: FLOAT,
      type: 'VEC3',
      count: positions.length / 3,
      min: extremes(positions, Math.min),
      max: extremes(positions, Math.max),
    });
    const count = solid.indices.length;
    const indices = add(Uint32Array.from(solid.indices), { componentType: UNSIGNED_INT, type: 'SCALAR', count });
    return { primitives: [{ attributes: { POSITION: position }, indices }] };
  });
  const nodes = parts.map(({ name: node, position, rotation }, mesh) => ({
    name: node,
    mesh,
    translation: position,
    ...(rotation && { rotation }),
  }));
  const json = JSON.stringify({
    asset: { version: '2.0', generator: 'narrowphase demo' },
    scene: 0,
    scenes: [{ name, nodes: nodes.map((_, i) => i) }],
    nodes,
    meshes,
    accessors,
    bufferViews,
    buffers: [{ byteLength: length }],
  });
  return container(json, pieces, length);
}

function extremes(positions: Float32Array, pick: (...values: number[]) => number): number[] {
  return [0, 1, 2].map((axis) => pick(...positions.filter((_, i) => i % 3 === axis)));
}

/** The container of glTF 2.0, chapter 4. Chunks are padded to four bytes, JSON with spaces. */
function container(json: string, pieces: readonly ArrayBuffer[], length: number): Uint8Array<ArrayBuffer> {
  const encoded = new TextEncoder().encode(json);
  const text = encoded.length + ((4 - (encoded.length % 4)) % 4);
  const bytes = new Uint8Array(12 + 8 + text + 8 + length);
  const view = new DataView(bytes.buffer);
  [MAGIC, 2, bytes.length, text, JSON_CHUNK].forEach((value, i) => view.setUint32(4 * i, value, true));
  bytes.fill(0x20, 20, 20 + text);
  bytes.set(encoded, 20);
  view.setUint32(20 + text, length, true);
  view.setUint32(24 + text, BINARY_CHUNK, true);
  let at = 28 + text;
  for (const piece of pieces) {
    bytes.set(new Uint8Array(piece), at);
    at += piece.byteLength;
  }
  return bytes;
}
