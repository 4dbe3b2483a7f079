/**
 * Draws all bodies from the poses of the simulation. On the GPU the vertex stage reads the simulation's own buffer;
 * with WebGL the poses come as a texture. Shapes with many bodies are instanced; all others are one mesh, whose vertices
 * know their body.
 */

import { BufferAttribute, BufferGeometry, InstancedBufferAttribute, LessEqualDepth } from 'three';
import { InstancedBufferGeometry, Mesh, MeshBasicNodeMaterial, MeshStandardNodeMaterial } from 'three/webgpu';
import { Plane, SphereGeometry, StorageBufferAttribute, Vector3 } from 'three/webgpu';
import type { DataTexture, Group, NodeMaterial, WebGPURenderer } from 'three/webgpu';
import { attribute, cross, int, ivec2, normalLocal, positionLocal, storage, textureLoad } from 'three/tsl';
import { transformNormalToView, vec3 } from 'three/tsl';
import { floatTexture, ROW, useBuffer } from './node-buffers.ts';
import type { Simulation } from './simulation.ts';
import type { Scene } from './scenes.ts';
import type { Colour } from './picture.ts';

const INSTANCED_FROM = 16;
const TRANSLUCENT_OPACITY = 0.3;
/** Transparent meshes are drawn after all others, in this order. */
const DEPTH_ORDER = 1;
const VEIL_ORDER = 2;

export const BODY_STYLES = ['solid', 'translucent', 'hidden'] as const;
export type BodyStyle = (typeof BODY_STYLES)[number];

export interface BodyMeshes {
  /** Sets the colours of the bodies from `first` on. */
  paint(first: number, colours: readonly Colour[]): void;
  setStyle(style: BodyStyle): void;
  /** With WebGL: the poses to draw. */
  update(poses: Float32Array): void;
  dispose(): void;
}

export function createBodyMeshes(
  scene: Scene,
  simulation: Simulation,
  renderer: WebGPURenderer,
  group: Group,
  colourOf: (body: number) => Colour,
): BodyMeshes {
  const { arrays, poses, tester } = simulation;
  const texture = poses ? undefined : floatTexture(2 * arrays.count);
  const place = placing(arrays.count, poses, texture, renderer);
  const materials = createMaterials(place);
  const meshes: { mesh: Mesh; bodies: number[]; perBody: number[] }[] = [];

  const bodiesOf = scene.shapes.map((): number[] => []);
  for (const [i, { shape }] of scene.bodies.entries()) bodiesOf[shape].push(i);
  const single: { triangles: Triangles; body: number }[] = [];
  for (const [shape, bodies] of bodiesOf.entries()) {
    const description = scene.shapes[shape];
    if (bodies.length === 0 || description.type === 'halfspace' || description.type === 'mesh') continue;
    const triangles =
      description.type === 'sphere' ? ball(description.radius) : faces(tester, arrays.shapes[bodies[0]]);
    if (bodies.length < INSTANCED_FROM) for (const body of bodies) single.push({ triangles, body });
    else {
      const geometry = new InstancedBufferGeometry();
      geometry.instanceCount = bodies.length;
      add(geometry, triangles, bodies, (array, size) => new InstancedBufferAttribute(array, size));
      meshes.push({ mesh: new Mesh(geometry, materials.solid), bodies, perBody: bodies.map(() => 1) });
    }
  }
  if (single.length > 0) {
    const geometry = new BufferGeometry();
    const triangles = {
      positions: single.flatMap(({ triangles: { positions } }) => positions),
      normals: single.flatMap(({ triangles: { normals } }) => normals),
    };
    const perBody = single.map(({ triangles: { positions } }) => positions.length / 3);
    const bodies = single.flatMap(({ body }, i) => Array.from({ length: perBody[i] }, () => body));
    add(geometry, triangles, bodies, (array, size) => new BufferAttribute(array, size));
    meshes.push({ mesh: new Mesh(geometry, materials.solid), bodies: single.map(({ body }) => body), perBody });
  }
  // Translucent bodies form one thin veil, however many lie behind each other: their depths are drawn first, and then
  // only the nearest surface.
  const depths = meshes.map(({ mesh: { geometry } }) => new Mesh(geometry, materials.depth));
  for (const mesh of depths) {
    mesh.frustumCulled = false;
    mesh.renderOrder = DEPTH_ORDER;
    mesh.visible = false;
    group.add(mesh);
  }
  for (const { mesh } of meshes) {
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    group.add(mesh);
  }

  const result: BodyMeshes = {
    paint(first, colours) {
      for (const { mesh, bodies, perBody } of meshes) {
        const tint = mesh.geometry.getAttribute('tint') as BufferAttribute;
        let at = 0;
        for (const [i, body] of bodies.entries()) {
          const colour = colours[body - first];
          for (let k = 0; k < perBody[i]; k++, at++) if (colour) tint.setXYZ(at, ...colour);
        }
        tint.needsUpdate = true;
      }
    },
    setStyle(style) {
      const isSolid = style === 'solid';
      for (const { mesh } of meshes) {
        mesh.visible = style !== 'hidden';
        mesh.material = isSolid ? materials.solid : materials.veil;
        mesh.castShadow = isSolid;
        mesh.receiveShadow = isSolid;
        mesh.renderOrder = isSolid ? 0 : VEIL_ORDER;
      }
      for (const mesh of depths) mesh.visible = style === 'translucent';
    },
    update(latest) {
      if (!texture) return;
      (texture.image.data as Float32Array).set(latest);
      texture.needsUpdate = true;
    },
    dispose() {
      for (const { mesh } of meshes) {
        group.remove(mesh);
        mesh.geometry.dispose();
      }
      group.remove(...depths);
      for (const material of Object.values(materials)) material.dispose();
      texture?.dispose();
    },
  };
  result.paint(
    0,
    scene.bodies.map((_, body) => colourOf(body)),
  );
  result.update(arrays.poses);
  return result;
}

interface Triangles {
  positions: number[];
  normals: number[];
}

function add(
  geometry: BufferGeometry,
  { positions, normals }: Triangles,
  bodies: number[],
  make: (array: Float32Array, size: number) => BufferAttribute,
): void {
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
  geometry.setAttribute('body', make(Float32Array.from(bodies), 1));
  geometry.setAttribute('tint', make(new Float32Array(3 * bodies.length), 3));
}

function ball(radius: number): Triangles {
  const sphere = new SphereGeometry(radius, 24, 16).toNonIndexed();
  return { positions: [...sphere.attributes.position.array], normals: [...sphere.attributes.normal.array] };
}

/** The faces of a polytope as flat triangles. */
function faces(tester: Simulation['tester'], id: number): Triangles {
  const { vertices, faces: polygons } = tester.shapeGeometry(id);
  const result: Triangles = { positions: [], normals: [] };
  for (const polygon of polygons) {
    const corners = Array.from(polygon, (vertex) => new Vector3().fromArray(vertices, 3 * vertex));
    for (let i = 1; i + 1 < corners.length; i++) {
      const { normal } = new Plane().setFromCoplanarPoints(corners[0], corners[i], corners[i + 1]);
      for (const corner of [corners[0], corners[i], corners[i + 1]]) {
        result.positions.push(...corner.toArray());
        result.normals.push(...normal.toArray());
      }
    }
  }
  return result;
}

type Placing = (material: NodeMaterial) => void;

/** Lets a material put each vertex to where its body is. */
function placing(
  count: number,
  buffer: GPUBuffer | undefined,
  texture: DataTexture | undefined,
  renderer: WebGPURenderer,
): Placing {
  const body = int(attribute('body', 'float'));
  let pose;
  let turn;
  if (buffer) {
    const records = new StorageBufferAttribute(new Float32Array(8 * count), 4);
    useBuffer(renderer, records, buffer);
    const read = storage(records, 'vec4', 2 * count).toReadOnly();
    pose = read.element(body.mul(2));
    turn = read.element(body.mul(2).add(1));
  } else {
    const texel = body.mul(2);
    const row = texel.div(ROW);
    const column = texel.sub(row.mul(ROW));
    pose = textureLoad(texture!, ivec2(column, row));
    turn = textureLoad(texture!, ivec2(column.add(1), row));
  }
  // q v q*: v + 2 q × (q × v + w v)
  const turned = (vector: typeof positionLocal) =>
    vector.add(cross(turn.xyz, cross(turn.xyz, vector).add(vector.mul(turn.w))).mul(2));
  const position = turned(positionLocal).add(pose.xyz);
  const normal = transformNormalToView(turned(normalLocal as unknown as typeof positionLocal)).toVarying();
  return (material) => {
    material.positionNode = position;
    material.normalNode = normal;
  };
}

function createMaterials(place: Placing) {
  const solid = new MeshStandardNodeMaterial({ roughness: 0.72, metalness: 0 });
  const veil = new MeshStandardNodeMaterial({
    roughness: 0.72,
    metalness: 0,
    transparent: true,
    opacity: TRANSLUCENT_OPACITY,
    depthWrite: false,
    depthFunc: LessEqualDepth,
  });
  // A little farther, since two pipelines may round the same place differently.
  const depth = new MeshBasicNodeMaterial({
    transparent: true,
    colorWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 4,
  });
  for (const material of [solid, veil, depth]) place(material);
  for (const material of [solid, veil]) material.colorNode = vec3(attribute('tint', 'vec3'));
  return { solid, veil, depth };
}
