/** Reads scenes and models: JSON scenes, glTF, GLB, OBJ, STL. Each becomes a scene. */

import { NarrowphaseError } from '../../../src/api/errors.ts';
import { parseJson } from '../json.ts';
import { isGltf, sceneOfJson } from '../scene.ts';
import type { Scene } from '../scene.ts';
import { makeShapeData } from '../../../src/shapes/shape-data.ts';
import { formatOf } from './file-format.ts';
import type { ReadBeside } from './gltf/buffers.ts';
import { decodeText, readBinaryGltf, readGltf } from './gltf/read-gltf.ts';
import { sceneOf } from './model-scene.ts';
import { createNotes } from './notes.ts';
import { readObj } from './obj.ts';
import { modelOfSolids } from './solids.ts';
import { readAsciiStl, readBinaryStl } from './stl.ts';
import { createVertexNumbers, withUsedVertices } from './triangles.ts';

export interface ReadOptions {
  /** Whether meshes become their convex hulls; default false. */
  hulls?: boolean;
  /** Reads a file that the model names. Without it such models are refused. */
  readBeside?: ReadBeside;
}

export interface ReadResult {
  scene: Scene;
  /** What of the file is not used, a line each. */
  notes: string[];
}

/**
 * Reads a file by its content. `file` is its path; the name of the scene is that of the file. Errors are
 * `NarrowphaseError`s of one line, `INVALID_INPUT` or `LIMIT_EXCEEDED`, that name the node, the mesh or the line.
 */
export async function readModel(file: string, bytes: Uint8Array, options: ReadOptions = {}): Promise<ReadResult> {
  const notes = createNotes();
  const scene = await readScene(file, bytes, options, notes);
  return { scene, notes: notes.lines() };
}

async function readScene(
  file: string,
  bytes: Uint8Array,
  { hulls = false, readBeside = refuseExternal }: ReadOptions,
  notes: ReturnType<typeof createNotes>,
): Promise<Scene> {
  const name = file.replace(/^.*[/\\]/, '').replace(/\.(?:json|gltf|glb|obj|stl)$/i, '') || 'scene';
  const options = { hulls, readBeside };
  switch (formatOf(file, bytes)) {
    case 'glb':
      return sceneOf(await readBinaryGltf(bytes, options, notes), name);
    case 'obj':
      return sceneOf(modelOfSolids(readObj(bytes, name, notes), options), name);
    case 'stl':
      return sceneOf(modelOfSolids(readBinaryStl(bytes, name), options), name);
    case 'ascii stl':
      return sceneOf(modelOfSolids(readAsciiStl(bytes, name), options), name);
    case 'json': {
      const content = parseJson(decodeText(bytes));
      if (isGltf(content) || /\.gltf$/i.test(file)) {
        return sceneOf(await readGltf(content, undefined, options, notes), name);
      }
      const scene = sceneOfJson(content, name);
      return hulls ? withHulls(scene) : scene;
    }
  }
}

/** The scene with convex hulls in place of its meshes. */
function withHulls(scene: Scene): Scene {
  const numbersOf = createVertexNumbers();
  const shapes = scene.shapes.map((shape) => {
    if (shape.type !== 'mesh') return shape;
    const { positions, indices } = shape;
    const triangles = { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
    const used = withUsedVertices(triangles, numbersOf);
    return { type: 'hull', points: used.positions } as const;
  });
  const shapeData = shapes.map((shape, i) =>
    shape === scene.shapes[i] ? scene.shapeData[i] : makeShapeData(shape, `shapes[${i}]`),
  );
  return { ...scene, shapes, shapeData };
}

function refuseExternal(uri: string): Promise<Uint8Array> {
  return Promise.reject(
    new NarrowphaseError('INVALID_INPUT', `its uri is ${JSON.stringify(uri)}, expected a data URI`),
  );
}
