/**
 * Triangles of a scene's bodies in world axes. Coordinates are relative to an origin near the model, so that a model far
 * from zero is drawn as sharply as one at it.
 */

import { BoxGeometry, BufferAttribute, BufferGeometry, Matrix4, Quaternion, Vector3 } from 'three/webgpu';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import { shapeGeometry } from '../common/shape-mesh.ts';
import type { ViewScene } from './check-messages.ts';

/** More triangles than this, and bodies are drawn as their bounding boxes. */
const MOST_TRIANGLES = 6_000_000;
/** Up to this many triangles, edges that are less sharp than `CREASE` are smoothed. */
const MOST_SMOOTHED = 400_000;
const CREASE = (35 * Math.PI) / 180;

export interface ModelGeometry {
  /** All bodies. */
  whole: BufferGeometry;
  /** The end of each body's vertices in `whole`. */
  ends: Uint32Array;
  /** Makes the geometry of one body. */
  bodyGeometry(body: number): BufferGeometry;
  origin: Vector3;
  /** Radius of the bounding sphere around the origin. */
  radius: number;
  triangles: number;
  areBoxes: boolean;
}

export function createModelGeometry({ shapes, bodies }: ViewScene): ModelGeometry {
  const uses = new Uint32Array(shapes.length);
  for (const shape of bodies.shapes) uses[shape]++;
  const used = shapes.map((shape, i) => (uses[i] > 0 ? shapeGeometry(shape) : undefined));
  const sum = (geometries: readonly (BufferGeometry | undefined)[]): number =>
    geometries.reduce((total, geometry, i) => total + (geometry ? uses[i] * trianglesOf(geometry) : 0), 0);
  const triangles = sum(used);
  const areBoxes = triangles > MOST_TRIANGLES;
  const finished = used.map((geometry) => geometry && finish(geometry, areBoxes, triangles <= MOST_SMOOTHED));
  const origin = middleOf(bodies.positions);
  const placed = new Matrix4();
  const place = (body: number): Matrix4 => {
    const [x, y, z] = bodies.positions.subarray(3 * body, 3 * body + 3);
    const turn = new Quaternion().fromArray(bodies.quaternions, 4 * body).normalize();
    const scale = bodies.scales[body];
    return placed.compose(
      new Vector3(x - origin.x, y - origin.y, z - origin.z),
      turn,
      new Vector3(scale, scale, scale),
    );
  };
  const bodyGeometry = (body: number): BufferGeometry =>
    finished[bodies.shapes[body]]!.clone().applyMatrix4(place(body));

  const { whole, ends } = merged(3 * sum(finished), bodies.shapes.length, bodyGeometry);
  whole.computeBoundingSphere();
  const { center, radius } = whole.boundingSphere!;
  whole.translate(-center.x, -center.y, -center.z);
  origin.add(center);
  return { whole, ends, bodyGeometry, origin, radius: radius || 1, triangles, areBoxes };
}

function trianglesOf({ index, attributes }: BufferGeometry): number {
  return (index?.count ?? attributes.position?.count ?? 0) / 3;
}

/** Only positions and normals, without an index. */
function finish(geometry: BufferGeometry, asBox: boolean, isSmooth: boolean): BufferGeometry {
  if (asBox) {
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox!;
    const size = max.clone().sub(min);
    const centre = min.clone().add(max).multiplyScalar(0.5);
    return finish(new BoxGeometry(size.x, size.y, size.z).translate(centre.x, centre.y, centre.z), false, false);
  }
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  for (const name of Object.keys(flat.attributes)) {
    if (name !== 'position' && name !== 'normal') flat.deleteAttribute(name);
  }
  return isSmooth ? toCreasedNormals(flat, CREASE) : flat;
}

function middleOf(positions: Float64Array): Vector3 {
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = new Vector3(-Infinity, -Infinity, -Infinity);
  const point = new Vector3();
  for (let i = 0; i < positions.length; i += 3) {
    point.fromArray(positions, i);
    low.min(point);
    high.max(point);
  }
  return positions.length > 0 ? low.add(high).multiplyScalar(0.5) : new Vector3();
}

function merged(vertices: number, count: number, bodyGeometry: (body: number) => BufferGeometry) {
  const positions = new Float32Array(3 * vertices);
  const normals = new Float32Array(3 * vertices);
  const ends = new Uint32Array(count);
  let at = 0;
  for (let body = 0; body < count; body++) {
    const geometry = bodyGeometry(body);
    positions.set(geometry.attributes.position.array, at);
    normals.set(geometry.attributes.normal.array, at);
    at += geometry.attributes.position.array.length;
    ends[body] = at / 3;
    geometry.dispose();
  }
  const whole = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(positions, 3))
    .setAttribute('normal', new BufferAttribute(normals, 3));
  return { whole, ends };
}
