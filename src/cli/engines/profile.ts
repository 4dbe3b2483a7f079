/** Temporary folders for browsers' profiles, which go when the browser or this process goes, however it ends. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Profile {
  folder: string;
  /** To be called once the browser runs: puppeteer's own listener for this process's end, which kills it, then comes first. */
  settle(): void;
  remove(): void;
}

export function makeProfile(): Profile {
  // Short: sockets in it have paths of at most about 100 characters.
  const folder = mkdtempSync(join(tmpdir(), 'np-'));
  const erase = (): void => {
    try {
      // A killed browser may still be writing for a moment.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    } catch {
      // What can't be removed stays: it must not stand in for the error or the answer that the caller is about to get.
    }
  };
  process.on('exit', erase);
  return {
    folder,
    settle() {
      process.off('exit', erase);
      process.on('exit', erase);
    },
    remove() {
      process.off('exit', erase);
      erase();
    },
  };
}
