/** The shape of a model file that was dropped on the page. */

import type { PartDescription, ShapeDescription } from 'narrowphase';
import { buildHull } from '../../src/shapes/hull.ts';
import { readModel } from '../../cli/scene/models/read-model.ts';
import type { Scene } from '../../cli/scene/scene.ts';
import { Matrix4, Quaternion, Vector3 } from 'three/webgpu';

/** Larger meshes are slow to drag on the CPU. */
const MOST_TRIANGLES = 200_000;
const MOST_BYTES = 64 * 2 ** 20;

export interface ModelShape {
  shape: ShapeDescription;
  /** What the page says about it. */
  summary: string;
}

/**
 * All bodies of the file as one mesh, as the hull of all meshes, or, where the file has convex shapes, as a compound.
 * The middle of a mesh's or a hull's bounding box becomes its origin.
 */
export async function modelShape(file: File, as: 'mesh' | 'hull'): Promise<ModelShape> {
  if (file.size > MOST_BYTES)
    throw new Error(`${file.name} has ${Math.round(file.size / 2 ** 20)} MB, at most 64 are read`);
  const { scene } = await readModel(file.name, new Uint8Array(await file.arrayBuffer()));
  if (scene.bodies.shapes.length === 0) throw new Error(`${file.name} has no bodies`);
  if (Array.from(scene.bodies.shapes).every((shape) => scene.shapes[shape].type === 'mesh'))
    return meshShape(scene, as);
  return convexShape(scene);
}

function meshShape(scene: Scene, as: 'mesh' | 'hull'): ModelShape {
  const positions: number[] = [];
  const indices: number[] = [];
  const point = new Vector3();
  scene.bodies.shapes.forEach((shape, body) => {
    const mesh = scene.shapes[shape];
    if (mesh.type !== 'mesh') return;
    const place = placeOf(scene, body);
    const first = positions.length / 3;
    for (let i = 0; i < mesh.positions.length; i += 3) {
      point.set(mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]).applyMatrix4(place);
      positions.push(point.x, point.y, point.z);
    }
    for (let i = 0; i < mesh.indices.length; i++) indices.push(first + mesh.indices[i]);
  });
  const triangles = indices.length / 3;
  if (triangles > MOST_TRIANGLES)
    throw new Error(
      `the model has ${triangles.toLocaleString('en')} triangles, at most ${MOST_TRIANGLES.toLocaleString('en')} are read`,
    );
  const centred = centre(positions);
  if (as === 'mesh')
    return {
      shape: { type: 'mesh', positions: centred, indices },
      summary: `${triangles.toLocaleString('en')} triangles`,
    };
  const { source } = buildHull(centred);
  const points = Array.from(source).flatMap((vertex) => centred.slice(3 * vertex, 3 * vertex + 3));
  return { shape: { type: 'hull', points }, summary: `hull of ${source.length.toLocaleString('en')} vertices` };
}

/** Convex shapes as they are, as parts of one body. */
function convexShape(scene: Scene): ModelShape {
  const parts: PartDescription[] = Array.from(scene.bodies.shapes, (id, body) => {
    const shape = scene.shapes[id];
    if (shape.type === 'halfspace' || shape.type === 'compound' || shape.type === 'mesh')
      throw new Error(`the model mixes a ${shape.type} with convex shapes, which one body can't have`);
    const { positions, quaternions, scales } = scene.bodies;
    return {
      shape,
      position: Array.from(positions.subarray(3 * body, 3 * body + 3)),
      quaternion: Array.from(quaternions.subarray(4 * body, 4 * body + 4)),
      scale: scales[body],
    };
  });
  const [{ shape }] = parts;
  if (parts.length === 1) return { shape: shape as ShapeDescription, summary: `a ${shape.type}` };
  return { shape: { type: 'compound', parts }, summary: `${parts.length} convex parts` };
}

function placeOf({ bodies: { positions, quaternions, scales } }: Scene, body: number): Matrix4 {
  return new Matrix4().compose(
    new Vector3().fromArray(positions, 3 * body),
    new Quaternion().fromArray(quaternions, 4 * body).normalize(),
    new Vector3().setScalar(scales[body]),
  );
}

/** Points around the middle of their bounding box, rounded to f32 as the package takes them. */
function centre(points: readonly number[]): number[] {
  const least = [Infinity, Infinity, Infinity];
  const most = [-Infinity, -Infinity, -Infinity];
  points.forEach((value, i) => {
    least[i % 3] = Math.min(least[i % 3], value);
    most[i % 3] = Math.max(most[i % 3], value);
  });
  return points.map((value, i) => Math.fround(value - (least[i % 3] + most[i % 3]) / 2));
}
