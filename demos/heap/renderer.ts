/** The WebGL renderer, fitted to what draws: a device, or software on the processor. */

import { PCFShadowMap, WebGLRenderer } from 'three';

/** Most milliseconds to wait for a frame. */
const FRAME_TIMEOUT_MS = 5000;

export interface FittedRenderer {
  renderer: WebGLRenderer;
  /** Whether frames take tenths of seconds. */
  isSoftware: boolean;
}

/** undefined where WebGL can't be had. */
export function createRenderer(canvas: HTMLCanvasElement): FittedRenderer | undefined {
  // Smooth edges take software three times as long: 1.9 s a frame in place of 0.6 s on two cores.
  const isSoftware = drawsInSoftware();
  const context = canvas.getContext('webgl2', {
    alpha: true,
    antialias: !isSoftware,
    powerPreference: 'high-performance',
  });
  if (!context) return undefined;
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.setPixelRatio(isSoftware ? 1 : Math.min(devicePixelRatio, 2));
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  // Bodies do not move: shadows are drawn when one is hidden or shown.
  renderer.shadowMap.autoUpdate = false;
  return { renderer, isSoftware };
}

/** Known from a canvas of its own, since the choice must be made before the context. */
function drawsInSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const names = context?.getExtension('WEBGL_debug_renderer_info');
  const name = context && names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Resolves when the next frame has been drawn, by the device and not only by us. */
export async function frameDone(renderer: WebGLRenderer): Promise<void> {
  await new Promise(requestAnimationFrame);
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (!fence) return;
  gl.flush();
  const end = performance.now() + FRAME_TIMEOUT_MS;
  while (performance.now() < end && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  gl.deleteSync(fence);
}
