/** The JSON of a glTF file: version, required extensions, and its lists of objects. */

import { invalidInput, NarrowphaseError } from '../../../../src/api/errors.ts';
import { checkIndex, checkObject, checkPresent, type JsonObject } from '../../../../src/util/json-fields.ts';
import { labelOf, refuse } from '../refusal.ts';

/** Lists that this reader uses. Where one is missing, it is empty. */
const LISTS = ['accessors', 'buffers', 'bufferViews', 'meshes', 'nodes', 'scenes', 'skins'] as const;

export interface Gltf extends Record<(typeof LISTS)[number], JsonObject[]> {
  json: JsonObject;
  /** Definitions of KHR_implicit_shapes. */
  implicitShapes: JsonObject[];
}

/** Extensions that say how to read geometry, and that are read. */
const READ = new Set([
  'EXT_mesh_gpu_instancing',
  'KHR_accessor_float64',
  'KHR_implicit_shapes',
  'KHR_mesh_quantization',
  'KHR_physics_rigid_bodies',
]);

/** Extensions that change nothing about shapes and places. */
const WITHOUT_GEOMETRY = new RegExp(
  [
    '^KHR_(?:materials|texture|lights|audio|xmp|node)_',
    '^KHR_(?:animation_pointer|xmp_json_ld)$',
    '^EXT_(?:texture_|lights_|structural_metadata|mesh_features|instance_features)',
    '^MSFT_(?:texture|packing)_',
    '^ADOBE_materials_',
  ].join('|'),
);

const COMPRESSIONS = new Map([
  ['KHR_draco_mesh_compression', 'Draco compression'],
  ['EXT_meshopt_compression', 'meshopt compression'],
  ['KHR_meshopt_compression', 'meshopt compression'],
]);

/** Checks the parts that concern the whole file. */
export function readDocument(content: unknown): Gltf {
  const json = checkObject(content, '', undefined, 'the glTF file');
  checkPresent(json.asset, 'asset', 'an object with the version');
  const { version, minVersion = version } = checkObject(json.asset, 'asset');
  if (typeof version !== 'string' || !/^2\.\d+$/.test(version)) invalidInput('asset.version', version, '2.0');
  if (minVersion !== '2.0' && minVersion !== version) invalidInput('asset.minVersion', minVersion, '2.0');
  for (const name of listOf(json.extensionsRequired, 'extensionsRequired')) expectReadable(name);
  const lists = LISTS.map((name) => [name, objectsOf(json[name], name)] as const);
  const shapes = extensionOf(json, 'KHR_implicit_shapes')?.shapes;
  return {
    json,
    ...(Object.fromEntries(lists) as Record<(typeof LISTS)[number], JsonObject[]>),
    implicitShapes: objectsOf(shapes, 'extensions.KHR_implicit_shapes.shapes'),
  };
}

function expectReadable(name: unknown): void {
  if (typeof name !== 'string') invalidInput('a name in extensionsRequired', name, 'a string');
  if (READ.has(name) || WITHOUT_GEOMETRY.test(name)) return;
  refuseCompression(name);
  throw new NarrowphaseError(
    'INVALID_INPUT',
    `the file needs the extension ${name}, which is not read; export it without`,
  );
}

/** Throws if the extension of this name is a compression, which takes a decoder to read. */
export function refuseCompression(name: string): void {
  const compression = COMPRESSIONS.get(name);
  if (compression === undefined) return;
  refuse(`${name} is not read: export the model without ${compression}, or decompress it first`);
}

/** The extension of an object, if it has it. */
export function extensionOf(object: JsonObject, name: string): JsonObject | undefined {
  const extensions = object.extensions === undefined ? {} : checkObject(object.extensions, 'extensions');
  if (!Object.hasOwn(extensions, name)) return undefined;
  return checkObject(extensions[name], `extensions.${name}`);
}

/** Names of an object's extensions. */
export function extensionNames({ extensions }: JsonObject): string[] {
  return extensions === undefined ? [] : Object.keys(checkObject(extensions, 'extensions'));
}

/** A list that may be missing. */
export function listOf(value: unknown, path: string): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) invalidInput(path, value, 'a list');
  return value;
}

function objectsOf(value: unknown, path: string): JsonObject[] {
  return listOf(value, path).map((item, i) => checkObject(item, `${path}[${i}]`));
}

/** The numbers of a list of this length. */
export function numbersOf(value: unknown, path: string, count: number): number[] {
  const isValid = Array.isArray(value) && value.length === count && value.every(Number.isFinite);
  if (!isValid) invalidInput(path, value, `${count} finite numbers`);
  return value;
}

/** An index that may be missing. */
export function optionalIndex(value: unknown, path: string, count: number, noun: string): number | undefined {
  return value === undefined ? undefined : checkIndex(value, path, count, noun);
}

export function nodeLabel({ nodes }: Gltf, index: number): string {
  return labelOf('node', nodes[index].name, index);
}

export function meshLabel({ meshes }: Gltf, index: number): string {
  return labelOf('mesh', meshes[index].name, index);
}
