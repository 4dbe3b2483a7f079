/** Sorts the files that a user drops: a report, a model, and the files that the model names. */

import { parseClashReport } from '../../cli/clash/parse-report.ts';
import type { ClashReport } from '../../cli/clash/clash-report.ts';
import type { GivenFile } from './check-messages.ts';

export interface SortedFiles {
  report?: { file: string; report: ClashReport };
  model?: GivenFile;
  /** All other files. */
  beside: GivenFile[];
}

const MODEL_ENDING = /\.(?:glb|gltf|obj|stl|json)$/i;
/** Reports begin with these fields; `command` tells whether it is one of `clash`. */
const REPORT_START = /^\s*\{[^[]{0,400}"command"\s*:\s*"clash"/;
const START_BYTES = 1024;

/** Throws if there are two models or reports, or neither. */
export function sortFiles(files: readonly GivenFile[]): SortedFiles {
  const reports = files.filter(isReport);
  const models = files.filter((file) => !reports.includes(file) && MODEL_ENDING.test(file.path));
  expectOne(reports, 'clash reports');
  expectOne(models, 'models');
  if (reports.length + models.length === 0) {
    const names = files.map(({ path }) => path).join(', ');
    throw new Error(`${names}: expected a model (.glb, .gltf, .obj, .stl or a JSON scene) or a clash report (.json)`);
  }
  return {
    report: reports[0] && { file: reports[0].path, report: readReport(reports[0]) },
    model: models[0],
    beside: files.filter((file) => file !== models[0] && file !== reports[0]),
  };
}

function expectOne(files: readonly GivenFile[], noun: string): void {
  if (files.length > 1)
    throw new Error(`${files.map(({ path }) => path).join(', ')} are ${files.length} ${noun}, expected one`);
}

function isReport({ path, bytes }: GivenFile): boolean {
  if (!/\.json$/i.test(path)) return false;
  return REPORT_START.test(new TextDecoder().decode(bytes.subarray(0, START_BYTES)));
}

function readReport({ path, bytes }: GivenFile): ClashReport {
  try {
    return parseClashReport(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** The files of a drop, those in dropped folders included. */
export async function filesOfDrop(transfer: DataTransfer): Promise<GivenFile[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.());
  if (entries.some((entry) => entry?.isDirectory)) {
    return (await Promise.all(entries.filter((entry) => entry !== null).map((entry) => walk(entry!, '')))).flat();
  }
  return readFiles(transfer.files);
}

export function readFiles(files: Iterable<File>): Promise<GivenFile[]> {
  return Promise.all(Array.from(files, (file) => readFile(file, file.name)));
}

async function readFile(file: File, path: string): Promise<GivenFile> {
  return { path, bytes: new Uint8Array(await file.arrayBuffer()) };
}

async function walk(entry: FileSystemEntry, folder: string): Promise<GivenFile[]> {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [await readFile(file, path)];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: GivenFile[] = [];
  for (;;) {
    // Each call returns some of the entries, and none after the last.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await walk(each, `${path}/`)));
  }
}
