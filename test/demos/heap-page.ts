/** The page of the heap's demo, and what tests read from it. */

import type { Page } from 'puppeteer';
import type { ReportContact } from '../../cli/report/contacts.ts';
import type { ReportHeader } from '../../cli/report/report-header.ts';

/** A contact in the command line's report on the heap. `contacts` gives all fields, and all bodies there have names. */
export type HeapContact = Required<ReportContact>;

export interface HeapReport extends ReportHeader {
  contacts: HeapContact[];
}

/** Runs in the page: as in a browser without WebGPU. */
export function hideWebGpu(): void {
  Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined });
}

/** Runs in the page: as in a browser without WebGL. */
export function hideWebGl(): void {
  HTMLCanvasElement.prototype.getContext = () => null;
}

/** Runs in the page: software drawing then takes its time for smooth edges, as a device would. */
export function hideRendererName(): void {
  const { prototype } = WebGL2RenderingContext as { prototype: { getExtension(name: string): unknown } };
  const { getExtension } = prototype;
  prototype.getExtension = function (name) {
    return name === 'WEBGL_debug_renderer_info' ? null : getExtension.call(this, name);
  };
}

/** Complaints but for Chrome's about drawing in software, which it does wherever there is no device. */
export function faults(complaints: string[]): string[] {
  return complaints.filter((text) => !/Automatic fallback to software WebGL|GPU stall due to ReadPixels/.test(text));
}

/** Waits until the view rests, and keeps a picture of the page. */
export async function shoot(page: Page, path: `${string}.png`): Promise<void> {
  await rest(page);
  await page.screenshot({ path });
}

async function rest(page: Page): Promise<void> {
  await page.waitForFunction(
    async () => {
      const { dataset } = document.getElementById('view')!;
      const frames = dataset.frames;
      await new Promise((done) => setTimeout(done, 200));
      return dataset.flying === 'false' && dataset.frames === frames;
    },
    { polling: 50 },
  );
}

export function textOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (element) => (element as HTMLElement).innerText);
}

export interface PageFigures {
  backend: string;
  fallback: string | null;
  bodies: number;
  shapes: number;
  candidatePairs: number;
  hits: number;
  statusCounts: Record<string, number>;
  timings: { calls: { total: number }[] };
  contacts: Pick<HeapContact, 'pair' | 'a' | 'b' | 'status' | 'distance'>[];
}

export function figuresOf(page: Page): Promise<PageFigures> {
  return page.$eval('#figures', (element) => JSON.parse(element.textContent!) as PageFigures);
}

/** A row of the picked body's list. */
export interface Row {
  pair: number;
  partner: number;
  distance: number;
  text: string;
}

export async function listedContacts(page: Page): Promise<{ body: number; rows: Row[] }> {
  return page.$eval('#details', (card) => ({
    body: Number((card as HTMLElement).dataset.body),
    rows: Array.from(card.querySelectorAll<HTMLElement>('.contact'), (row) => ({
      pair: Number(row.dataset.pair),
      partner: Number(row.dataset.partner),
      distance: Number(row.dataset.distance),
      text: row.innerText,
    })),
  }));
}

/** `vertex 12`, from a contact's feature. */
export function featureText(feature: number): string {
  return `${['no feature', 'vertex', 'edge', 'face'][feature >>> 30]} ${feature & 0x3fffffff}`;
}

export function vectorText(values: number[]): string {
  return values
    .map((value) =>
      value
        .toFixed(3)
        .replace(/^-(?=.*[1-9])/, '−')
        .replace('-', ''),
    )
    .join(' ');
}
