/** What the page offers to tests and to the console. */

import type { Answer } from './answer.ts';
import type { PlaygroundScene } from './scene.ts';

declare global {
  interface Window {
    playground: PlaygroundDemo;
  }
}

export interface PlaygroundDemo {
  scene(): PlaygroundScene;
  load(scene: PlaygroundScene): void;
  /** The answer to the scene as it is, or null if it was refused; when the address and the code are up to date too. */
  settled(): Promise<Answer | null>;
  /** Where on the page a body's origin is, in CSS pixels. */
  pageOf(body: number): { x: number; y: number };
}
