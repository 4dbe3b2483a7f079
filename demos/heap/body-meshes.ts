/** All bodies of the scene: one instanced mesh per shape, and single meshes for a picked body and its partners. */

import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  LessEqualDepth,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Quaternion,
  Raycaster,
  Vector2,
  Vector3,
} from 'three';
import type { BufferGeometry, Camera } from 'three';
import type { Scene } from '../../cli/scene/scene.ts';
import type { Ball } from '../common/framing.ts';
import { kindOf } from './kinds.ts';
import type { Palette } from './palette.ts';
import { shapeGeometry } from '../common/shape-mesh.ts';

export type BodyStyle = 'solid' | 'translucent' | 'hidden';

export interface BodyMeshes {
  group: Group;
  /** A ball around each body except the floor tiles. */
  balls: Ball[];
  centre(body: number): Vector3;
  /** Radius of a sphere around the body's `centre` that contains the body. */
  radius(body: number): number;
  setPalette(palette: Palette): void;
  setStyle(style: BodyStyle): void;
  /** Shows a body and its partners, and the other bodies as ghosts. undefined: no body is picked. */
  pick(body: number | undefined, partners: readonly number[]): void;
  /** Highlights one of the partners. */
  emphasise(body: number | undefined): void;
  /** The body at a point of the view, with coordinates from -1 to 1. */
  bodyAt(place: Vector2, camera: Camera): number | undefined;
}

const GHOST_OPACITY = 0.12;
const TRANSLUCENT_OPACITY = 0.3;
const PARTNER_OPACITY = 0.6;

/** Transparent objects are drawn in this order, after all others. */
const PARTNER_ORDER = 1;
const DEPTH_ORDER = 2;
const GHOST_ORDER = 3;

export function createBodyMeshes(scene: Scene): BodyMeshes {
  const { bodies } = scene;
  const count = bodies.shapes.length;
  const kinds = Array.from({ length: count }, (_, body) => kindOf(scene, body));
  const geometries = scene.shapes.map(shapeGeometry);
  const solid = new MeshLambertMaterial();
  const floorMaterial = new MeshLambertMaterial();
  // Ghosts form one thin veil, however many lie behind each other: their depths are drawn first, and then only the
  // nearest surface. Both passes come after the picked body and its partners, so that the veil covers these without
  // hiding them.
  const ghostDepth = new MeshBasicMaterial({ transparent: true, colorWrite: false });
  const ghost = new MeshLambertMaterial({ transparent: true, depthWrite: false, depthFunc: LessEqualDepth });
  const pickedMaterial = new MeshLambertMaterial();

  const group = new Group();
  const picks = new Group();
  group.add(picks);
  const meshes: { mesh: InstancedMesh; depth: InstancedMesh; members: number[]; isFloor: boolean }[] = [];
  const placeOf = new Map<number, { mesh: InstancedMesh; index: number }>();
  for (const [shape, geometry] of geometries.entries()) {
    const members = Array.from({ length: count }, (_, body) => body).filter((body) => bodies.shapes[body] === shape);
    if (members.length === 0) continue;
    const isFloor = members.every((body) => kinds[body] === 'floor');
    const mesh = new InstancedMesh(geometry, isFloor ? floorMaterial : solid, members.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.castShadow = !isFloor;
    mesh.receiveShadow = true;
    for (const [index, body] of members.entries()) {
      mesh.setMatrixAt(index, poseOf(scene, body));
      placeOf.set(body, { mesh, index });
    }
    const depth = new InstancedMesh(geometry, ghostDepth, members.length);
    depth.instanceMatrix = mesh.instanceMatrix;
    depth.renderOrder = DEPTH_ORDER;
    meshes.push({ mesh, depth, members, isFloor });
    group.add(mesh, depth);
  }

  let palette: Palette | undefined;
  let style: BodyStyle = 'solid';
  let shown: { body: number; partners: readonly number[] } | undefined;
  const meshOf = new Map<number, Mesh<BufferGeometry, MeshLambertMaterial>>();

  /** A body without extent is neither drawn nor picked. */
  const setVisible = (body: number, isVisible: boolean): void => {
    const { mesh, index } = placeOf.get(body)!;
    mesh.setMatrixAt(index, isVisible ? poseOf(scene, body) : new Matrix4().makeScale(0, 0, 0));
    mesh.instanceMatrix.needsUpdate = true;
  };

  const applyStyle = (): void => {
    const isGhost = shown !== undefined || style === 'translucent';
    ghost.opacity = shown ? GHOST_OPACITY : TRANSLUCENT_OPACITY;
    for (const { mesh, depth, isFloor } of meshes) {
      depth.visible = isGhost && !isFloor && style !== 'hidden';
      if (isFloor) continue;
      mesh.material = isGhost ? ghost : solid;
      mesh.visible = style !== 'hidden';
      mesh.castShadow = !isGhost;
      mesh.receiveShadow = !isGhost;
      mesh.renderOrder = isGhost ? GHOST_ORDER : 0;
    }
  };

  const centre = (body: number): Vector3 => new Vector3().fromArray(bodies.positions, 3 * body);
  const radius = (body: number): number => scene.shapeData[bodies.shapes[body]].boundingRadius * bodies.scales[body];
  const colorOf = (body: number): Color => new Color(palette?.bodies[kinds[body]]);

  /** Transparent, except for the floor, which is tinted. */
  const partnerMaterial = (body: number): MeshLambertMaterial => {
    if (kinds[body] === 'floor')
      return new MeshLambertMaterial({ color: colorOf(body).lerp(pickedMaterial.color, 0.3) });
    return new MeshLambertMaterial({
      color: colorOf(body),
      transparent: true,
      opacity: PARTNER_OPACITY,
      depthWrite: false,
    });
  };

  return {
    group,
    balls: kinds.flatMap((kind, body) => (kind === 'floor' ? [] : [[centre(body), radius(body)] as const])),
    centre,
    radius,
    setPalette(now) {
      palette = now;
      const color = new Color();
      for (const { mesh, members } of meshes) {
        for (const [index, body] of members.entries())
          mesh.setColorAt(index, varied(color.set(now.bodies[kinds[body]]), body, kinds[body] === 'floor'));
        mesh.instanceColor!.needsUpdate = true;
      }
      pickedMaterial.color.set(now.picked);
      for (const [body, mesh] of meshOf)
        if (body !== shown?.body) mesh.material.color.copy(partnerMaterial(body).color);
    },
    setStyle(now) {
      style = now;
      applyStyle();
    },
    pick(body, partners) {
      if (shown) for (const former of [shown.body, ...shown.partners]) setVisible(former, true);
      for (const mesh of meshOf.values()) if (mesh.material !== pickedMaterial) mesh.material.dispose();
      meshOf.clear();
      picks.clear();
      shown = body === undefined ? undefined : { body, partners };
      for (const each of shown ? [shown.body, ...partners] : []) {
        const isFloor = kinds[each] === 'floor';
        setVisible(each, false);
        const mesh = new Mesh(geometries[bodies.shapes[each]], each === body ? pickedMaterial : partnerMaterial(each));
        mesh.matrixAutoUpdate = false;
        mesh.matrix.copy(poseOf(scene, each));
        mesh.receiveShadow = isFloor;
        mesh.renderOrder = PARTNER_ORDER;
        meshOf.set(each, mesh);
        picks.add(mesh);
      }
      applyStyle();
    },
    emphasise(body) {
      for (const [each, mesh] of meshOf) {
        if (!mesh.material.transparent) continue;
        mesh.material.opacity = body === undefined ? PARTNER_OPACITY : each === body ? 0.85 : 0.12;
      }
    },
    bodyAt(place, camera) {
      const raycaster = new Raycaster();
      raycaster.setFromCamera(place, camera);
      const single = (isFloor: boolean): Mesh[] =>
        [...meshOf].filter(([body]) => (kinds[body] === 'floor') === isFloor).map(([, mesh]) => mesh);
      const instanced = meshes.map(({ mesh }) => mesh).filter(({ visible }) => visible);
      // Opaque bodies come before the ghosts around them; the floor comes last.
      const hit =
        raycaster.intersectObjects(single(false))[0] ?? raycaster.intersectObjects([...instanced, ...single(true)])[0];
      if (hit?.instanceId !== undefined) return meshes.find(({ mesh }) => mesh === hit.object)?.members[hit.instanceId];
      return [...meshOf].find(([, mesh]) => mesh === hit?.object)?.[0];
    },
  };
}

function poseOf({ bodies }: Scene, body: number): Matrix4 {
  const scale = bodies.scales[body];
  return new Matrix4().compose(
    new Vector3().fromArray(bodies.positions, 3 * body),
    new Quaternion().fromArray(bodies.quaternions, 4 * body).normalize(),
    new Vector3(scale, scale, scale),
  );
}

/** A slightly lighter or darker colour per body, so that neighbours of the same kind can be told apart. */
function varied(color: Color, body: number, isFloor: boolean): Color {
  if (isFloor) return color;
  const spread = (((body * 2654435761) >>> 0) / 2 ** 32 - 0.5) * 0.16;
  return color.multiplyScalar(1 + spread);
}
