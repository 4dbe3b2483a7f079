/** The WebGL renderer, configured for a graphics device or for software rendering. */

import { PCFShadowMap, WebGLRenderer } from 'three';

/** Most milliseconds to wait for a frame. */
const FRAME_TIMEOUT_MS = 5000;

export interface FittedRenderer {
  renderer: WebGLRenderer;
  /** True if frames take tenths of a second. */
  isSoftware: boolean;
}

/** undefined if WebGL is not available. */
export function createRenderer(canvas: HTMLCanvasElement): FittedRenderer | undefined {
  // With antialiasing, software takes three times as long: 1.9 s per frame instead of 0.6 s on two cores.
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
  // Bodies do not move, so shadows are redrawn only when a body is hidden or shown.
  renderer.shadowMap.autoUpdate = false;
  return { renderer, isSoftware };
}

/** Tested on a separate canvas, since the choice must be made before the context is created. */
function drawsInSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const names = context?.getExtension('WEBGL_debug_renderer_info');
  const name = context && names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Resolves when the device has finished drawing the next frame. */
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
