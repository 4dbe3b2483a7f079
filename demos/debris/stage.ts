/** The ground, the light and the camera of a scene. */

import { CircleGeometry, Color, Fog, Group, Mesh, MeshStandardNodeMaterial } from 'three/webgpu';
import { float, fract, fwidth, min, mix, positionWorld, smoothstep, uniform, vec2 } from 'three/tsl';
import type { View } from '../common/view.ts';
import type { Scene } from './scenes.ts';

export interface Stage {
  bodies: Group;
  /** Places camera and light for a scene. */
  frame(scene: Scene): void;
}

export function createStage({ scene, camera, controls, sun, renderer }: View): Stage {
  const bodies = new Group();
  const material = new MeshStandardNodeMaterial({ roughness: 1, metalness: 0 });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const floor = uniform(new Color());
  const line = uniform(new Color());
  const reachOfLines = uniform(20);
  const paint = (): void => {
    floor.value.set(dark.matches ? 0x1d2227 : 0xe3e7ea);
    line.value.set(dark.matches ? 0x2b3238 : 0xcdd3d8);
    if (scene.fog) scene.fog.color.copy(scene.background as Color);
  };
  dark.addEventListener('change', paint);
  paint();
  // Lines every metre, as wide as a pixel, out to where they would flicker.
  const cell = fract(positionWorld.xz).sub(0.5).abs();
  const lines = vec2(0.5)
    .sub(cell)
    .div(fwidth(positionWorld.xz).max(float(1e-4)));
  const isLine = smoothstep(float(1.4), float(0.4), min(lines.x, lines.y));
  const isNear = smoothstep(reachOfLines, reachOfLines.mul(0.4), positionWorld.xz.length());
  material.colorNode = mix(floor, line, isLine.mul(isNear));
  const ground = new Mesh(new CircleGeometry(400, 48).rotateX(-Math.PI / 2), material);
  ground.receiveShadow = true;
  scene.add(ground, bodies);

  sun.castShadow = renderer.shadowMap.enabled;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.normalBias = 0.03;
  sun.shadow.radius = 4;
  controls.maxPolarAngle = 1.52;
  controls.minDistance = 2;

  return {
    bodies,
    frame({ size, height }) {
      const reach = Math.max(size, 1.05 * height, 1.5);
      const narrow = Math.max(1, 1.25 / camera.aspect);
      // Debris flies to the far side: the camera looks beyond the middle.
      const beyond = Math.min(0.5 * reach, 4);
      controls.target.set(0, 0.1 * height, beyond);
      camera.position.set(0.35 * reach, 1.55 * reach, -2.3 * reach).multiplyScalar(narrow);
      reachOfLines.value = 5 * reach;
      sun.position.set(-1.6 * reach, 2.3 * reach, -2.4 * reach);
      const box = sun.shadow.camera;
      [box.left, box.right, box.top, box.bottom, box.far] = [-4 * reach, 4 * reach, 4 * reach, -4 * reach, 8 * reach];
      box.updateProjectionMatrix();
      scene.fog = new Fog(scene.background as Color, 4.5 * reach, 12 * reach);
      controls.update();
    },
  };
}
