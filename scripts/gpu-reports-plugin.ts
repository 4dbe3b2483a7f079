/**
 * Publishes the stored reports of `npm run bench:gpu` for the bench page, as `bench/reports.json`. It has only the rates of
 * each case by number of pairs, which are a small part of a report.
 */

import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** What the page gets. */
export interface StoredReports {
  /** Version of the package that the page is built from. */
  version: string;
  reports: StoredReport[];
}

export interface StoredReport {
  adapter: string;
  /** Package, version and commit. */
  generator: string;
  date: string;
  /** By the case's name: pairs, and pairs per second. */
  rates: Record<string, [pairs: number, rate: number][]>;
}

interface Rate {
  median: number;
}

/** The parts of a report that are read. */
interface GpuReport {
  generator: string;
  date: string;
  adapter: { device: string };
  cases: {
    name: string;
    points: {
      pairs: number;
      variant: { bodies: string; hitRate: number; isWarm: boolean };
      gpu: Rate | null;
      wall: Rate;
    }[];
  }[];
}

const PATH = 'bench/reports.json';
const root = fileURLToPath(new URL('..', import.meta.url));

export function gpuReportsPlugin(): Plugin {
  return {
    name: 'narrowphase-gpu-reports',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: PATH, source: JSON.stringify(storedReports()) });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${PATH}`, (_, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(storedReports()));
      });
    },
  };
}

function storedReports(): StoredReports {
  const folder = `${root}/bench/results`;
  const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version: string };
  const reports = readdirSync(folder)
    .filter((file) => file.endsWith('-gpu.json'))
    .map((file) => rateTable(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as GpuReport));
  return { version, reports };
}

/** Cold searches over shared bodies with half of the pairs overlapping, as the page measures them. */
function rateTable({ adapter, generator, date, cases }: GpuReport): StoredReport {
  const rates = cases.map(({ name, points }) => [
    name,
    points
      .filter(({ variant: { bodies, hitRate, isWarm } }) => bodies === 'shared' && hitRate === 0.5 && !isWarm)
      .map(({ pairs, gpu, wall }) => [pairs, Math.round((gpu ?? wall).median)]),
  ]);
  return { adapter: adapter.device, generator, date, rates: Object.fromEntries(rates) as StoredReport['rates'] };
}
