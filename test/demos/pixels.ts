/** What is on a screenshot. */

import type { Page } from 'puppeteer';

export interface Pixel {
  red: number;
  green: number;
  blue: number;
}

/** Pixels of a screenshot of the page, each at a place in CSS pixels. */
export function pixelsAt(
  page: Page,
  picture: Uint8Array,
  places: readonly { x: number; y: number }[],
): Promise<Pixel[]> {
  return page.evaluate(
    async (base64, at) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true })!;
      context.drawImage(bitmap, 0, 0);
      return at.map(({ x, y }) => {
        const [red, green, blue] = context.getImageData(Math.round(x), Math.round(y), 1, 1).data;
        return { red, green, blue };
      });
    },
    Buffer.from(picture).toString('base64'),
    places,
  );
}
