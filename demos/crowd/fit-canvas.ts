/** Gives a canvas as many pixels as its place on the page has. Returns pixels per CSS pixel. */
export function fitCanvas(canvas: HTMLCanvasElement): number {
  const ratio = Math.min(devicePixelRatio, 2);
  const width = Math.max(Math.round(canvas.clientWidth * ratio), 1);
  const height = Math.max(Math.round(canvas.clientHeight * ratio), 1);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  return ratio;
}
