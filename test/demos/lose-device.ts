/** Loses the device of a page, as if the browser had taken it away. */

import type { Page } from 'puppeteer';

/** Runs in the page before its scripts: makes its devices say that the browser took them away, without a reason. */
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

export async function loseDevice(page: Page): Promise<void> {
  await page.evaluate(() => (globalThis as unknown as { destroyDevice(): void }).destroyDevice());
}
