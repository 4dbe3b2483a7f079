/** glTF files written by hand. */

import { expect } from 'vitest';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { readGltf } from '../../cli/scene/models/gltf/read-gltf.ts';
import type { Model } from '../../cli/scene/models/model.ts';
import { createNotes } from '../../cli/scene/models/notes.ts';
import { readModel, type ReadOptions } from '../../cli/scene/models/read-model.ts';

export type Json = Record<string, any>;

const COMPONENTS = new Map<unknown, number>([
  [Int8Array, 5120],
  [Uint8Array, 5121],
  [Int16Array, 5122],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, 5126],
  [Float64Array, 5130],
]);

type Values = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

export interface GltfWriter {
  json: Json;
  /** Adds data and gives its buffer view. */
  view(values: Values): number;
  /** Adds an accessor with data of its own and gives its index. */
  accessor(type: string, values: Values, fields?: Json): number;
  /** Adds a mesh of triangles and gives its index. */
  mesh(name: string | undefined, positions: readonly number[], indices?: readonly number[]): number;
  /** Adds a node to the scene and gives its index. */
  root(node: Json): number;
  /** The data so far. */
  binary(): Uint8Array;
}

export function makeGltf(): GltfWriter {
  const json: Json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [] }],
    nodes: [],
    meshes: [],
    accessors: [],
    bufferViews: [],
    buffers: [{ byteLength: 0 }],
  };
  let bytes = new Uint8Array(0);
  const writer: GltfWriter = {
    json,
    view(values) {
      const start = Math.ceil(bytes.length / 8) * 8;
      const longer = new Uint8Array(Math.ceil((start + values.byteLength) / 4) * 4);
      longer.set(bytes);
      longer.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start);
      bytes = longer;
      json.buffers[0].byteLength = bytes.length;
      return json.bufferViews.push({ buffer: 0, byteOffset: start, byteLength: values.byteLength }) - 1;
    },
    accessor(type, values, fields = {}) {
      const count = values.length / { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 }[type]!;
      const componentType = COMPONENTS.get(values.constructor);
      return json.accessors.push({ bufferView: writer.view(values), type, componentType, count, ...fields }) - 1;
    },
    mesh(name, positions, indices) {
      const primitive: Json = { attributes: { POSITION: writer.accessor('VEC3', Float32Array.from(positions)) } };
      if (indices) primitive.indices = writer.accessor('SCALAR', Uint16Array.from(indices));
      return json.meshes.push({ ...(name !== undefined && { name }), primitives: [primitive] }) - 1;
    },
    root(node) {
      const index = json.nodes.push(node) - 1;
      json.scenes[0].nodes.push(index);
      return index;
    },
    binary: () => bytes,
  };
  return writer;
}

/** A GLB file. `binary`: left out if empty. */
export function glbOf(json: unknown, binary: Uint8Array = new Uint8Array(0)): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const chunks: [type: number, content: Uint8Array, padding: number][] = [[0x4e4f534a, text, 0x20]];
  if (binary.length > 0) chunks.push([0x004e4942, binary, 0]);
  const padded = chunks.map(([type, content, padding]) => {
    const chunk = new Uint8Array(8 + Math.ceil(content.length / 4) * 4).fill(padding);
    new DataView(chunk.buffer).setUint32(0, chunk.length - 8, true);
    new DataView(chunk.buffer).setUint32(4, type, true);
    chunk.set(content, 8);
    return chunk;
  });
  const file = new Uint8Array(12 + padded.reduce((sum, { length }) => sum + length, 0));
  const header = new DataView(file.buffer);
  header.setUint32(0, 0x46546c67, true);
  header.setUint32(4, 2, true);
  header.setUint32(8, file.length, true);
  let at = 12;
  for (const chunk of padded) {
    file.set(chunk, at);
    at += chunk.length;
  }
  return file;
}

export function glbFile({ json, binary }: GltfWriter): Uint8Array {
  return glbOf(json, binary());
}

function refuseFile(uri: string): Promise<Uint8Array> {
  return Promise.reject(new Error(`${uri} is asked for`));
}

/** The model of a document, whose shapes are not checked yet. */
export async function modelOf(
  { json, binary }: Pick<GltfWriter, 'json' | 'binary'>,
  { hulls = false } = {},
): Promise<Model & { notes: string[] }> {
  const notes = createNotes();
  const model = await readGltf(json, binary(), { hulls, readBeside: refuseFile }, notes);
  return { ...model, notes: notes.lines() };
}

/** The description of a mesh as models have it. */
export interface MeshShape {
  type: 'mesh';
  positions: Float32Array;
  indices: Uint32Array;
}

/** The triangles of a body's mesh in the scene, 9 numbers per triangle. */
export function trianglesInScene({ shapes, bodies }: Model, body: number): number[][] {
  const { shape, position, rotation, scale } = bodies[body];
  const { positions, indices } = shapes[shape].description as MeshShape;
  const [x, y, z, w] = rotation;
  const n = x * x + y * y + z * z + w * w;
  const place = (vertex: number): number[] => {
    const p = [...positions.subarray(3 * vertex, 3 * vertex + 3)];
    // v + 2 q × (q × v + w v)
    const a = [y * p[2] - z * p[1] + w * p[0], z * p[0] - x * p[2] + w * p[1], x * p[1] - y * p[0] + w * p[2]];
    const b = [y * a[2] - z * a[1], z * a[0] - x * a[2], x * a[1] - y * a[0]];
    return p.map((v, k) => position[k] + scale * (v + (2 / n) * b[k]));
  };
  return Array.from({ length: indices.length / 3 }, (_, t) => [0, 1, 2].flatMap((k) => place(indices[3 * t + k])));
}

/** Corners and outward triangles of the box from -1 to 1. */
export const CUBE = {
  positions: [-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1],
  indices: [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
};

/** A crate with a mesh, below an assembly. */
export function makeCrate(): GltfWriter {
  const gltf = makeGltf();
  gltf.mesh('Cube', CUBE.positions, CUBE.indices);
  gltf.json.nodes.push({ name: 'crate', mesh: 0 }, { name: 'assembly', children: [0] });
  gltf.json.scenes[0].nodes = [1];
  return gltf;
}

/** The one line with which a file is refused, or "accepted". */
export async function refusal(
  bytes: Uint8Array,
  file = 'm.glb',
  options: ReadOptions = { hulls: true },
): Promise<string> {
  try {
    await readModel(file, bytes, options);
  } catch (error) {
    if (!(error instanceof NarrowphaseError)) throw error;
    expect(['INVALID_INPUT', 'LIMIT_EXCEEDED']).toContain(error.code);
    expect(error.message).not.toContain('\n');
    return error.message;
  }
  return 'accepted';
}

export type Change = (json: Json, gltf: GltfWriter) => void;

/** The refusal of the crate after a change. */
export function changed(change: Change): Promise<string> {
  const gltf = makeCrate();
  change(gltf.json, gltf);
  return refusal(glbFile(gltf));
}

/** The GLB file with other JSON text. */
export function withJson(bytes: Uint8Array, text: string): Uint8Array {
  const old = new DataView(bytes.buffer).getUint32(12, true);
  const json = new TextEncoder().encode(text);
  const longer = new Uint8Array(20 + Math.ceil(json.length / 4) * 4 + bytes.length - 20 - old).fill(0x20);
  longer.set(bytes.subarray(0, 20));
  longer.set(json, 20);
  longer.set(bytes.subarray(20 + old), longer.length - (bytes.length - 20 - old));
  const view = new DataView(longer.buffer);
  view.setUint32(8, longer.length, true);
  view.setUint32(12, Math.ceil(json.length / 4) * 4, true);
  return longer;
}

/** A document with these shapes of KHR_implicit_shapes. */
export function withShapes(...shapes: Json[]): GltfWriter {
  const gltf = makeGltf();
  gltf.json.extensions = { KHR_implicit_shapes: { shapes } };
  return gltf;
}

/** A node's extension KHR_physics_rigid_bodies. */
export function physics(fields: Json): Json {
  return { extensions: { KHR_physics_rigid_bodies: fields } };
}

export function collider(geometry: Json, more: Json = {}): Json {
  return physics({ collider: { geometry }, ...more });
}
