/**
 * Contact points as small balls and normals as arrows from A to B, both coloured by depth. The length of an arrow's
 * shaft is the contact's depth, exaggerated several times, since depths are small compared with bodies.
 *
 * Contact points lie inside the bodies, by half the depth. So in the solid view the marks are drawn as if they were a
 * little nearer: marks of visible bodies are visible, marks deep in the heap are not. In other views they are drawn
 * through everything.
 */

import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  Float32BufferAttribute,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import type { BufferGeometry } from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { depthOf } from './contact-list.ts';
import type { Contact } from './contact-list.ts';
import { depthColor } from './palette.ts';
import type { Palette } from './palette.ts';

/** Lengths of a mark in units of its ball's radius. */
const HEAD_LENGTH = 3;
const SHORTEST_SHAFT = 2;
/** Length of a shaft beyond the shortest one, as a multiple of the depth. */
export const DEPTH_EXAGGERATION = 4;

export interface ContactMarks {
  group: Group;
  /** Sets the radius of the balls in the world. */
  setSize(size: number): void;
  setShown(shown: { points: boolean; normals: boolean }): void;
  /** Sets how much nearer the marks are drawn. Infinity: through everything. */
  setNearer(distance: number): void;
  setPalette(palette: Palette): void;
  /** Makes all marks except this contact's pale. undefined: all alike. */
  emphasise(contact: Contact | undefined): void;
  dispose(): void;
}

export function createContactMarks(contacts: readonly Contact[], deepest: number): ContactMarks {
  const uniforms = { markSize: { value: 0.02 }, nearer: { value: 0 } };
  const material = markMaterial(uniforms);
  const points = instances(pointGeometry(), material, contacts);
  const normals = instances(arrowGeometry(), material, contacts);
  const group = new Group();
  group.add(points, normals);
  let palette: Palette | undefined;
  let emphasised: Contact | undefined;

  const colour = (): void => {
    if (!palette) return;
    const color = new Color();
    const pale = new Color(palette.bodies.sphere);
    for (const [index, contact] of contacts.entries()) {
      depthColor(palette, depthOf(contact) / deepest, color);
      if (emphasised && emphasised !== contact) color.lerp(pale, 0.8);
      points.setColorAt(index, color);
      normals.setColorAt(index, color);
    }
    for (const mesh of [points, normals]) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  };

  return {
    group,
    setSize: (size) => (uniforms.markSize.value = size),
    setShown(shown) {
      points.visible = shown.points;
      normals.visible = shown.normals;
    },
    setNearer: (distance) => (uniforms.nearer.value = Number.isFinite(distance) ? distance : -1),
    setPalette(now) {
      palette = now;
      colour();
    },
    emphasise(contact) {
      emphasised = contact;
      colour();
    },
    dispose() {
      points.geometry.dispose();
      normals.geometry.dispose();
      points.dispose();
      normals.dispose();
      material.dispose();
    },
  };
}

/** Halfway between the contact's two points. */
export function contactPlace({ pointA, pointB }: Contact): Vector3 {
  return new Vector3(...pointA).add(new Vector3(...pointB)).multiplyScalar(0.5);
}

function instances(geometry: BufferGeometry, material: MeshBasicMaterial, contacts: readonly Contact[]): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, contacts.length);
  const up = new Vector3(0, 1, 0);
  const one = new Vector3(1, 1, 1);
  const matrix = new Matrix4();
  const turn = new Quaternion();
  for (const [index, contact] of contacts.entries()) {
    turn.setFromUnitVectors(up, new Vector3(...contact.normal));
    mesh.setMatrixAt(index, matrix.compose(contactPlace(contact), turn, one));
  }
  const lengths = Float32Array.from(contacts, (contact) => DEPTH_EXAGGERATION * depthOf(contact));
  geometry.setAttribute('shaft', new InstancedBufferAttribute(lengths, 1));
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  // Marks don't block the picking of a body.
  mesh.raycast = () => {};
  return mesh;
}

/**
 * Adds the attribute `along`, one number per vertex: 1 if the vertex moves with the arrow's tip, 0 if it stays at its
 * start.
 */
function withAlong(geometry: BufferGeometry, along: (y: number) => number): BufferGeometry {
  const { position } = geometry.attributes;
  const values = Array.from({ length: position.count }, (_, i) => along(position.getY(i)));
  geometry.setAttribute('along', new Float32BufferAttribute(values, 1));
  return geometry;
}

function pointGeometry(): BufferGeometry {
  return withAlong(new SphereGeometry(1, 8, 6), () => 0);
}

function arrowGeometry(): BufferGeometry {
  const shaft = withAlong(new CylinderGeometry(0.28, 0.28, 1, 5, 1, true).translate(0, 0.5, 0), (y) => y);
  // The vertex shader adds the length; here both ends are at the start.
  const ends = shaft.attributes.position;
  for (let i = 0; i < ends.count; i++) ends.setY(i, 0);
  const head = withAlong(new ConeGeometry(1, HEAD_LENGTH, 8).translate(0, HEAD_LENGTH / 2, 0), () => 1);
  return mergeGeometries([shaft, head]);
}

/**
 * Unlit material with sizes in units of `markSize`. Marks are hidden as if they were nearer to the camera by `nearer`;
 * below 0, nothing hides them.
 */
function markMaterial(uniforms: Record<'markSize' | 'nearer', { value: number }>): MeshBasicMaterial {
  const material = new MeshBasicMaterial();
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        '#include <common>\nuniform float markSize;\nuniform float nearer;\nattribute float along;\nattribute float shaft;',
      )
      .replace(
        '#include <begin_vertex>',
        `vec3 transformed = position * markSize;
        transformed.y += along * (shaft + ${SHORTEST_SHAFT.toFixed(1)} * markSize);`,
      )
      .replace(
        '#include <project_vertex>',
        `#include <project_vertex>
        if (nearer < 0.0) {
          // A slice of the depth range in front of everything else, in which the marks still hide each other.
          gl_Position.z = (gl_Position.z / gl_Position.w + 1.0) * 0.02 * gl_Position.w - gl_Position.w;
        } else {
          vec4 raised = projectionMatrix * vec4(mvPosition.xy, min(mvPosition.z + nearer, -0.01), 1.0);
          gl_Position.z = raised.z / raised.w * gl_Position.w;
        }`,
      );
  };
  return material;
}
