/** Loses the device of a page or of its worker, as if the browser had taken it away. */

import type { Page, WebWorker } from 'puppeteer';

/** Runs in the page or worker before it opens a device: makes its devices say that the browser took them away, without a reason. */
export function allowLosingDevice(): void {
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...parameters) {
    const device = await requestDevice.apply(this, parameters);
    const lost = device.lost.then(() => ({ reason: 'unknown', message: '' }));
    Object.defineProperty(device, 'lost', { value: lost });
    Object.assign(globalThis, { destroyDevice: () => device.destroy() });
    return device;
  };
}

export async function loseDevice(page: Page | WebWorker): Promise<void> {
  await page.evaluate(() => (globalThis as unknown as { destroyDevice(): void }).destroyDevice());
}
