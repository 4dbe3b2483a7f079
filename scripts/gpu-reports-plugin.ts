/**
 * Publishes the reports of `npm run bench:gpu` in bench/results/ for the bench page, as `bench/reports.json`: the rates of
 * each case by number of pairs, from the tables of the reports.
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
    .filter((file) => file.endsWith('-gpu.md'))
    .map((file) => storedReport(readFileSync(`${folder}/${file}`, 'utf8')));
  return { version, reports };
}

const TITLE = /^# Kernels on (?<adapter>.+)$/m;
const FACTS = /^`.*` of (?<generator>.+) on (?<date>\d{4}-\d\d-\d\d), in /m;
const CASE = /^## (?<name>\S+\/\S+)\n(?<text>(?:(?!## ).*\n)*)/gm;
/**
 * Cold searches over shared bodies with half of the pairs overlapping, as the page measures them. A rate in millions is
 * the median by timestamps, where the device has them, or that from submission until done.
 */
const ROW = /^\| 50 % hits \| (?<pairs>\d+)(?<unit> [kM])?(?: in \d+ turns)? \| (?:– \| )?(?<rate>[\d.]+) \(/gm;
const UNITS: Record<string, number> = { ' k': 2 ** 10, ' M': 2 ** 20 };

/** Reads the Markdown that bench/gpu/markdown.ts writes. Throws if it has no rates. */
export function storedReport(text: string): StoredReport {
  const facts = { ...TITLE.exec(text)?.groups, ...FACTS.exec(text)?.groups };
  const rates: StoredReport['rates'] = {};
  for (const { groups: section } of text.matchAll(CASE)) {
    rates[section!.name] = Array.from(section!.text.matchAll(ROW), ({ groups: row }) => [
      Number(row!.pairs) * (UNITS[row!.unit] ?? 1),
      Math.round(Number(row!.rate) * 1e6),
    ]);
  }
  const { adapter, generator, date } = facts as Record<string, string | undefined>;
  if (!adapter || !generator || !date || Object.keys(rates).length === 0) {
    throw new Error(`a report of bench:gpu begins ${JSON.stringify(text.slice(0, 60))}, expected its facts and rates`);
  }
  return { adapter, generator, date, rates };
}
