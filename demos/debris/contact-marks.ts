/**
 * Draws the contact points that press: spindles along the normals, larger and redder the harder they press. On the GPU
 * the vertex stage reads the simulation's own list, and an indirect draw takes its length; with WebGL the list comes as a
 * texture.
 */

import { Color, InstancedBufferGeometry, Mesh, MeshBasicNodeMaterial } from 'three/webgpu';
import { IndirectStorageBufferAttribute, OctahedronGeometry, StorageBufferAttribute } from 'three/webgpu';
import type { Group, WebGPURenderer } from 'three/webgpu';
import {
  cross,
  instanceIndex,
  int,
  ivec2,
  min,
  mix,
  positionLocal,
  select,
  sqrt,
  storage,
  textureLoad,
  uniform,
  vec3,
} from 'three/tsl';
import { darkTheme } from '../common/dark-theme.ts';
import { BODY_FLOATS, GRAVITY } from './constants.ts';
import { floatTexture, ROW, useBuffer } from './node-buffers.ts';
import type { Simulation } from './simulation.ts';

/** Half lengths and half widths in metres: of a point that hardly presses, and what a body's weight adds. */
const LENGTH = [0.06, 0.05] as const;
const WIDTH = [0.01, 0.009] as const;
/** Spindles grow with the root of the force, up to this many roots of a body's weight. */
const LARGEST = 6;
/** At so many weights a colour is halfway from the first to the last. */
const MIDDLE = 4;
/** From points that hardly press to those that press most, in light and in dark themes. */
const COLOURS = {
  light: [0xf4b400, 0xee5a24, 0xb3124f],
  dark: [0xffd34d, 0xff7a3d, 0xff3d81],
};

export interface ContactMarks {
  /** Takes the contacts of the last step. */
  update(): void;
  dispose(): void;
}

export function createContactMarks(simulation: Simulation, renderer: WebGPURenderer, group: Group): ContactMarks {
  const marks = simulation.createMarks();
  const texture = marks.buffers ? undefined : floatTexture(2 * marks.most);
  const geometry = new InstancedBufferGeometry();
  const spindle = new OctahedronGeometry();
  geometry.setAttribute('position', spindle.getAttribute('position'));
  const vertices = spindle.getAttribute('position').count;
  if (marks.buffers) {
    const draw = new IndirectStorageBufferAttribute(new Uint32Array(4), 4);
    useBuffer(renderer, draw, marks.buffers.draw);
    geometry.setIndirect(draw);
  }

  const colours = [0, 1, 2].map(() => uniform(new Color()));
  const paint = (): void => {
    for (const [i, hex] of COLOURS[darkTheme.matches ? 'dark' : 'light'].entries()) colours[i].value.set(hex);
  };
  darkTheme.addEventListener('change', paint);
  paint();
  const material = new MeshBasicNodeMaterial();
  const [place, direction] = [0, 1].map((half) => recordAt(half));
  const weights = place.w.div(weightOf(simulation));
  const size = min(sqrt(weights), LARGEST);
  const normal = direction.xyz;
  const side = cross(normal, select(normal.y.abs().lessThan(0.9), vec3(0, 1, 0), vec3(1, 0, 0))).normalize();
  const [length, width] = [LENGTH, WIDTH].map(([least, more]) => size.mul(more).add(least));
  material.positionNode = place.xyz
    .add(normal.mul(positionLocal.y.mul(length)))
    .add(side.mul(positionLocal.x.mul(width)))
    .add(cross(normal, side).mul(positionLocal.z.mul(width)));
  const share = weights.div(weights.add(MIDDLE)).mul(2).toVarying();
  const [low, middle, high] = colours;
  material.colorNode = mix(mix(low, middle, share.min(1)), high, share.sub(1).max(0));
  material.fog = false;

  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  group.add(mesh);

  /** A half of a mark: place and force, or the normal. */
  function recordAt(half: number) {
    const index = int(instanceIndex).mul(2).add(half);
    if (!marks.buffers) return textureLoad(texture!, ivec2(index.mod(ROW), index.div(ROW)));
    const records = new StorageBufferAttribute(new Float32Array(4), 4);
    useBuffer(renderer, records, marks.buffers.records);
    return storage(records, 'vec4', 2 * marks.most)
      .toReadOnly()
      .element(index);
  }

  return {
    update() {
      const listed = marks.update(vertices);
      if (!texture || !listed) return;
      (texture.image.data as Float32Array).set(listed);
      texture.needsUpdate = true;
      geometry.instanceCount = listed.length / BODY_FLOATS;
    },
    dispose() {
      darkTheme.removeEventListener('change', paint);
      group.remove(mesh);
      geometry.dispose();
      material.dispose();
      texture?.dispose();
      marks.dispose();
    },
  };
}

/** The mean weight of the bodies that move, in newtons. */
function weightOf({ arrays: { masses, count } }: Simulation): number {
  const moving = Array.from({ length: count }, (_, i) => masses[BODY_FLOATS * i]).filter((mass) => mass > 0);
  return (GRAVITY * moving.reduce((sum, mass) => sum + mass, 0)) / Math.max(1, moving.length);
}
