/** The ground, the terrain, the light and the camera of a scene. */

import { BufferAttribute, BufferGeometry, CircleGeometry, Color, Fog, Group, Mesh } from 'three/webgpu';
import { MeshStandardNodeMaterial } from 'three/webgpu';
import { float, fract, fwidth, min, mix, normalWorldGeometry, positionWorld, smoothstep, uniform } from 'three/tsl';
import { vec2 } from 'three/tsl';
import type { MeshDescription } from 'narrowphase';
import { darkTheme } from '../common/dark-theme.ts';
import type { View } from '../common/view.ts';
import type { Scene } from './scenes.ts';

/** Metres of height between the lines of a terrain, and the height at which its colour is that of the hills. */
const CONTOUR = 0.2;
const HILL = 2.2;

export interface Stage {
  bodies: Group;
  /** Places camera and light for a scene. */
  frame(scene: Scene): void;
}

export function createStage({ scene, camera, controls, sun, renderer }: View): Stage {
  const bodies = new Group();
  const colours = createColours();
  const paint = (): void => {
    colours.paint();
    if (scene.fog) scene.fog.color.copy(scene.background as Color);
  };
  darkTheme.addEventListener('change', paint);
  paint();
  const ground = new Mesh(new CircleGeometry(400, 48).rotateX(-Math.PI / 2), colours.plain);
  ground.receiveShadow = true;
  const terrains = new Group();
  scene.add(ground, terrains, bodies);

  /** Replaces the terrains by the scene's bodies that are meshes. */
  function drawTerrains({ shapes, bodies: all }: Scene): void {
    for (const { geometry } of terrains.children as Mesh[]) geometry.dispose();
    terrains.clear();
    for (const { shape, position, quaternion = [0, 0, 0, 1] } of all) {
      const description = shapes[shape];
      if (description.type !== 'mesh') continue;
      const terrain = new Mesh(geometryOf(description), colours.terrain);
      terrain.position.set(...position);
      terrain.quaternion.fromArray(quaternion);
      terrain.receiveShadow = true;
      terrain.castShadow = true;
      terrains.add(terrain);
    }
  }

  sun.castShadow = renderer.shadowMap.enabled;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.normalBias = 0.03;
  sun.shadow.radius = 4;
  controls.maxPolarAngle = 1.52;
  controls.minDistance = 2;

  return {
    bodies,
    frame(shown) {
      drawTerrains(shown);
      const { size, height } = shown;
      const reach = Math.max(size, 1.05 * height, 1.5);
      const narrow = Math.max(1, 1.25 / camera.aspect);
      // Debris flies to the far side: the camera looks beyond the middle.
      const beyond = Math.min(0.5 * reach, 4);
      controls.target.set(0, 0.1 * height, beyond);
      camera.position.set(0.35 * reach, 1.55 * reach, -2.3 * reach).multiplyScalar(narrow);
      colours.reachOfLines.value = 5 * reach;
      sun.position.set(-1.6 * reach, 2.3 * reach, -2.4 * reach);
      const box = sun.shadow.camera;
      [box.left, box.right, box.top, box.bottom, box.far] = [-4 * reach, 4 * reach, 4 * reach, -4 * reach, 8 * reach];
      box.updateProjectionMatrix();
      scene.fog = new Fog(scene.background as Color, 4.5 * reach, 12 * reach);
      controls.update();
    },
  };
}

function geometryOf({ positions, indices }: MeshDescription): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setIndex(new BufferAttribute(Uint32Array.from(indices), 1));
  geometry.computeVertexNormals();
  return geometry;
}

/** Materials of the plain, with lines every metre, and of the terrain, with lines of equal height. */
function createColours() {
  const [floor, line, valley, hill, rock, contour] = Array.from({ length: 6 }, () => uniform(new Color()));
  const reachOfLines = uniform(20);
  const plain = new MeshStandardNodeMaterial({ roughness: 1, metalness: 0 });
  const terrain = new MeshStandardNodeMaterial({ roughness: 1, metalness: 0 });
  // Lines as wide as a pixel, out to where they would flicker.
  const cell = fract(positionWorld.xz).sub(0.5).abs();
  const lines = vec2(0.5)
    .sub(cell)
    .div(fwidth(positionWorld.xz).max(float(1e-4)));
  const isNear = smoothstep(reachOfLines, reachOfLines.mul(0.4), positionWorld.xz.length());
  const drawn = (distance: typeof lines.x) => smoothstep(float(1.4), float(0.4), distance).mul(isNear);
  plain.colorNode = mix(floor, line, drawn(min(lines.x, lines.y)));

  const level = positionWorld.y.div(CONTOUR);
  const off = float(0.5).sub(fract(level).sub(0.5).abs());
  const height = smoothstep(float(0), float(HILL), positionWorld.y);
  const steep = smoothstep(float(0.92), float(0.75), normalWorldGeometry.y);
  const shaded = mix(mix(valley, hill, height), rock, steep);
  terrain.colorNode = mix(shaded, contour, drawn(off.div(fwidth(level).max(float(1e-4)))).mul(0.35));

  return {
    plain,
    terrain,
    reachOfLines,
    paint(): void {
      const isDark = darkTheme.matches;
      floor.value.set(isDark ? 0x1d2227 : 0xe3e7ea);
      line.value.set(isDark ? 0x2b3238 : 0xcdd3d8);
      valley.value.set(isDark ? 0x27302c : 0xcfd6c4);
      hill.value.set(isDark ? 0x4a5a50 : 0xf1f0e4);
      rock.value.set(isDark ? 0x3a3f45 : 0xb9bdbc);
      contour.value.set(isDark ? 0x6d8076 : 0x8a967f);
    },
  };
}
