/** Keeps the answer up to date: asks after each change, and once the scene rests, updates what can wait for that. */

import { showAnswer, showRefusal, showTime } from './answer-card.ts';
import type { Answer, Asker, Backend } from './answer.ts';
import type { PlaygroundScene } from './scene.ts';
import { linkInspector, showCode, writeAddress } from './sharing.ts';

/** After so many milliseconds without a change the address, the code and the time are brought up to date. */
const REST_MS = 250;

/** What is asked now. */
export interface Question {
  scene: PlaygroundScene;
  backend: Backend;
  asker: Asker;
}

export interface Asking {
  /** The question has changed. */
  changed(): void;
  /** The answer to the latest question, or null if it was refused, once the whole page shows it. */
  settled(): Promise<Answer | null>;
}

/** `onAnswer`: what to do with each answer; undefined if there is none. */
export function createAsking(question: () => Question, onAnswer: (answer: Answer | undefined) => void): Asking {
  let answer: Answer | null = null;
  /** Counts changes; answers to earlier ones are not shown. */
  let version = 0;
  /** The latest change that the whole page shows. */
  let restedVersion = -1;
  let isAsking = false;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let waiting: ((answer: Answer | null) => void)[] = [];

  /** Asks again as long as the question has changed meanwhile. */
  async function askUntilCurrent(): Promise<void> {
    isAsking = true;
    for (let asked = -1; asked !== version;) {
      asked = version;
      const { scene, backend, asker } = question();
      try {
        const found = await asker.ask(scene, backend);
        if (asked !== version) continue;
        answer = found;
        showAnswer(found, scene);
        onAnswer(found);
      } catch (error) {
        if (asked !== version) continue;
        answer = null;
        showRefusal((error as Error).message);
        showTime();
        onAnswer(undefined);
      }
    }
    isAsking = false;
    clearTimeout(restTimer);
    restTimer = setTimeout(() => void rest(version), REST_MS);
  }

  /** Updates what need not follow every movement of the pointer. */
  async function rest(of: number): Promise<void> {
    const { scene, backend } = question();
    writeAddress(scene);
    showCode(scene, backend);
    try {
      await measure(of);
    } catch (error) {
      if (of === version && answer) showRefusal((error as Error).message);
    }
    if (of !== version) return;
    restedVersion = of;
    for (const done of waiting) done(answer);
    waiting = [];
  }

  async function measure(of: number): Promise<void> {
    if (!answer) return linkInspector(undefined);
    const { scene, backend, asker } = question();
    const time = await asker.time(scene, backend);
    if (of !== version) return;
    showTime({ ...time, algorithm: scene.algorithm, backend });
    const capture = await asker.capture(scene, backend);
    if (of !== version) return;
    await linkInspector(capture);
  }

  return {
    changed() {
      version++;
      clearTimeout(restTimer);
      if (!isAsking) void askUntilCurrent();
    },
    settled: () => (restedVersion === version ? Promise.resolve(answer) : new Promise((done) => waiting.push(done))),
  };
}
