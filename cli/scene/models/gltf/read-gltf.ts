/** glTF 2.0, as JSON or as GLB, to a model. */

import { parseJson } from '../../json.ts';
import { MODEL_LIMITS, type Model, type ModelOptions } from '../model.ts';
import type { Notes } from '../notes.ts';
import { refuse, refuseAsTooLarge } from '../refusal.ts';
import { createAccessorTable } from './accessors.ts';
import { buildModel } from './build.ts';
import { readBuffers, type ReadBeside } from './buffers.ts';
import { decodeAccessors } from './decode.ts';
import { readDocument } from './document.ts';
import { readGlb } from './glb.ts';
import { localTransform, readTree, sceneRoots, walk } from './graph.ts';
import { planBodies } from './plan.ts';

export interface GltfOptions extends ModelOptions {
  readBeside: ReadBeside;
}

/** Reads a GLB file. */
export function readBinaryGltf(bytes: Uint8Array, options: GltfOptions, notes: Notes): Promise<Model> {
  const { json, binary, trailing } = readGlb(bytes);
  if (trailing > 0) notes.add(`${trailing} bytes behind the end of the GLB file are left out`);
  return readGltf(parseJson(decodeText(json)), binary, options, notes);
}

/** Reads the content of a glTF file. `binary` is the binary chunk of a GLB file. */
export async function readGltf(
  content: unknown,
  binary: Uint8Array | undefined,
  options: GltfOptions,
  notes: Notes,
): Promise<Model> {
  const gltf = readDocument(content);
  const tree = readTree(gltf);
  const roots = sceneRoots(gltf, tree);
  if (gltf.scenes.length > 1) notes.add('only one scene of the file is read');
  if (gltf.json.animations !== undefined) notes.add('animations are not played');
  const order = walk(
    gltf,
    tree,
    roots.map((node) => ({ node, transform: localTransform(gltf, node) })),
  );
  const user = { label: '' };
  const table = createAccessorTable(gltf, () => user.label);
  const planned = planBodies(gltf, tree, order, table, notes, user);
  const buffers = await readBuffers(gltf, table.buffers, binary, options.readBeside);
  const decoded = await decodeAccessors(gltf, table, buffers);
  const worlds = new Map(order.map(({ node, transform }) => [node, transform]));
  return buildModel(planned, gltf, decoded, (node) => worlds.get(node), options, notes);
}

/** UTF-8 text. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length > MODEL_LIMITS.textBytes) {
    refuseAsTooLarge(`the JSON has ${bytes.length} bytes, expected at most ${MODEL_LIMITS.textBytes}`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse('not UTF-8, expected JSON');
  }
}
