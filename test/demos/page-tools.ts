/** What tests of several demos read from a page, and what they take from its browser. */

import type { Page } from 'puppeteer';

/** Runs in the page: as in a browser without WebGPU. */
export function hideWebGpu(): void {
  Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined });
}

/** Runs in the page: software drawing then takes its time for smooth edges, as a device would. */
export function hideRendererName(): void {
  const { prototype } = WebGL2RenderingContext as { prototype: { getExtension(name: string): unknown } };
  const { getExtension } = prototype;
  prototype.getExtension = function (name) {
    return name === 'WEBGL_debug_renderer_info' ? null : getExtension.call(this, name);
  };
}

/** Complaints, without Chrome's warning about drawing in software, which appears wherever there is no device. */
export function faults(complaints: string[]): string[] {
  return complaints.filter((text) => !/Automatic fallback to software WebGL|GPU stall due to ReadPixels/.test(text));
}

export function textOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (element) => (element as HTMLElement).innerText);
}
