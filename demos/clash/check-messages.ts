/** The messages between the page and its worker. */

import type { BackendChoice } from '../common/choose-backend.ts';
import type { Clash, ClashHeader } from '../../cli/clash/clash-report.ts';
import type { Scene } from '../../cli/scene/scene.ts';

/** A file that was dropped or opened. `path` is its name, with its folders where a folder was dropped. */
export interface GivenFile {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface CheckOptions {
  tolerance: number;
  /** null: gaps are not clashes. */
  clearance: number | null;
  /** Pairs of names or patterns that are not checked. */
  ignore: [string, string][];
  /** Whether meshes become their convex hulls. */
  hulls: boolean;
}

export interface CheckTask {
  model: GivenFile;
  /** Files that the model may name. */
  beside: GivenFile[];
  backend: BackendChoice;
  options: CheckOptions;
  /** Whether to stop after reading: there is a report already. */
  readOnly: boolean;
}

/** The parts of a scene that the view draws. */
export type ViewScene = Pick<Scene, 'name' | 'shapes' | 'bodies' | 'bodyNames'>;

export type CheckEvent =
  | { kind: 'scene'; scene: ViewScene; notes: string[]; sha256: string }
  | { kind: 'progress'; text: string; done: number; total: number }
  | { kind: 'done'; header: ClashHeader; clashes: Clash[]; milliseconds: number }
  | { kind: 'failed'; stage: 'reading' | 'checking'; reason: string };
