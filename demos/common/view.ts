/** A three.js view that fills its canvas: WebGPU on the page's device, otherwise WebGL. */

import { Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, WebGPURenderer } from 'three/webgpu';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { darkTheme } from './dark-theme.ts';
import type { PageDevice } from './open-device.ts';

export interface View {
  renderer: WebGPURenderer;
  scene: Scene;
  camera: PerspectiveCamera;
  controls: OrbitControls;
  sun: DirectionalLight;
  /** Draws one frame. */
  render(): void;
}

/**
 * Throws if the browser has neither WebGPU nor WebGL 2. On a software adapter, shadows and antialiasing are left out
 * unless the address has `?quality=full`, as for pictures of the page. `trackTimestamp`: the renderer's option.
 */
export async function createView(
  canvas: HTMLCanvasElement,
  gpu?: PageDevice,
  { trackTimestamp = false } = {},
): Promise<View> {
  const isSoftware = gpu?.isSoftware ?? false;
  const isPlain = isSoftware && new URLSearchParams(location.search).get('quality') !== 'full';
  const renderer = new WebGPURenderer({
    canvas,
    device: gpu?.device,
    forceWebGL: !gpu,
    antialias: !isPlain,
    trackTimestamp,
  });
  await renderer.init();
  renderer.setPixelRatio(isSoftware ? 1 : Math.min(devicePixelRatio, 2));
  renderer.shadowMap.enabled = !isPlain;

  const scene = new Scene();
  const camera = new PerspectiveCamera(45, 1, 0.1, 1000);
  const sun = new DirectionalLight(0xffffff, 2.5);
  sun.position.set(30, 60, 20);
  scene.add(sun, new HemisphereLight(0xffffff, 0x8d8a84, 1.2));
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;

  const paint = (): void => {
    scene.background = new Color(getComputedStyle(document.documentElement).getPropertyValue('--stage').trim());
  };
  darkTheme.addEventListener('change', paint);
  paint();

  const fit = (): void => {
    const { clientWidth, clientHeight } = canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    renderer.setSize(clientWidth, clientHeight, false);
    camera.aspect = clientWidth / clientHeight;
    camera.updateProjectionMatrix();
  };
  new ResizeObserver(fit).observe(canvas);
  fit();

  return {
    renderer,
    scene,
    camera,
    controls,
    sun,
    render: () => {
      controls.update();
      renderer.render(scene, camera);
    },
  };
}
