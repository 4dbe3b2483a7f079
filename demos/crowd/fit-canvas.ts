/** Gives a canvas as many pixels as it covers on the screen, at most 2 per CSS pixel and axis. Returns that ratio. */
export function fitCanvas(canvas: HTMLCanvasElement): number {
  const ratio = Math.min(devicePixelRatio, 2);
  const width = Math.max(Math.round(canvas.clientWidth * ratio), 1);
  const height = Math.max(Math.round(canvas.clientHeight * ratio), 1);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  return ratio;
}
