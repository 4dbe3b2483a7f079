/** Reads a model and finds its clashes, with the functions of `narrowphase clash`, away from the page's own thread. */

import { createTester, type Tester } from 'narrowphase';
import { version } from '../../package.json';
import { findClashes } from '../../cli/clash/find-clashes.ts';
import { makeReport } from '../../cli/clash/make-report.ts';
import { planCheck } from '../../cli/clash/plan-check.ts';
import { NO_RULES, parseRules, type Rules } from '../../cli/clash/rules.ts';
import { withHulls, type SolidScene } from '../../cli/clash/solids/convex-meshes.ts';
import { openMeshesText } from '../../cli/clash/solids/open-meshes.ts';
import { integer } from '../../cli/terminal-text.ts';
import type { Scene } from '../../cli/scene/scene.ts';
import { readModel } from '../../cli/scene/models/read-model.ts';
import { testerEngine } from '../../verification/engines/tester-engine.ts';
import { readerAmong, sha256Of } from './beside-files.ts';
import { browserName } from './browser-name.ts';
import type { CheckEvent, CheckTask } from './check-messages.ts';

const worker = globalThis as unknown as DedicatedWorkerScope;
const post = (event: CheckEvent): void => worker.postMessage(event, []);
const openReference = () => createTester({ backend: 'cpu' });

/** TypeScript's DOM library has no type for a worker's scope. */
interface DedicatedWorkerScope {
  postMessage(message: CheckEvent, transfer: Transferable[]): void;
}

addEventListener('message', ({ data }: MessageEvent<CheckTask>) => {
  void carryOut(data);
});

async function carryOut(task: CheckTask): Promise<void> {
  let stage: 'reading' | 'checking' = 'reading';
  try {
    post({ kind: 'progress', text: `Reading ${task.model.path}`, done: 0, total: 0 });
    const read = await readTask(task);
    stage = 'checking';
    if (!task.readOnly) await check(task, read);
  } catch (error) {
    post({ kind: 'failed', stage, reason: error instanceof Error ? error.message : String(error) });
  }
}

interface ReadTask {
  scene: Scene;
  solids: SolidScene;
  rules: Rules;
  sha256: string;
}

async function readTask({ model, beside, options }: CheckTask): Promise<ReadTask> {
  const used: Uint8Array<ArrayBuffer>[] = [model.bytes];
  const readBeside = readerAmong(model.path, beside, (bytes) => used.push(bytes));
  const { scene, notes } = await readModel(model.path, model.bytes, { hulls: options.hulls, readBeside });
  const limits = { tolerance: options.tolerance, clearance: options.clearance };
  const rules = options.ignore.length > 0 ? rulesOf(options.ignore, limits, scene) : NO_RULES;
  const solids = withHulls(scene);
  const openMeshes = openMeshesText(solids);
  const sha256 = await sha256Of(used);
  const { name, shapes, bodies, bodyNames } = scene;
  post({
    kind: 'scene',
    scene: { name, shapes, bodies, bodyNames },
    notes: openMeshes === undefined ? notes : [...notes, openMeshes],
    sha256,
  });
  return { scene, solids, rules, sha256 };
}

/** The rules of a rule file that only has pairs to ignore. */
function rulesOf(ignore: [string, string][], limits: { tolerance: number; clearance: number | null }, scene: Scene) {
  return parseRules(JSON.stringify({ ignore }), limits, scene.bodyNames);
}

async function check({ model, backend, options }: CheckTask, { scene, solids, rules, sha256 }: ReadTask) {
  const start = performance.now();
  const { tolerance, clearance } = options;
  post({ kind: 'progress', text: 'Finding pairs that are near each other', done: 0, total: 0 });
  const { range, ...plan } = planCheck(solids.scene, { rules, defaults: { tolerance, clearance } });
  const tester = await createTester({ backend });
  const engine = testerEngine(tester, browserName(tester.backend), null);
  try {
    await engine.load(solids.scene.shapes, solids.scene.bodies);
    const total = range.end - range.first;
    const progress = (done: number): void =>
      post({ kind: 'progress', text: `Checking ${integer(total)} pairs on the ${deviceOf(tester)}`, done, total });
    progress(0);
    const { candidates, limits } = plan;
    const result = await findClashes({ solids, engine, openReference, candidates, limits, range }, progress);
    const { header, clashes } = makeReport(
      {
        sceneFile: { file: model.path, files: [], sha256, scene },
        solids,
        generator: `narrowphase ${version}`,
        engine: { ...engine.facts, fallback: tester.fallback ?? null },
        baseline: undefined,
        result,
        ...plan,
      },
      0,
    );
    const all = [];
    for await (const batch of clashes()) all.push(...batch);
    post({ kind: 'done', header, clashes: all, milliseconds: performance.now() - start });
  } finally {
    await engine.close();
  }
}

function deviceOf({ backend }: Tester): string {
  return backend === 'webgpu' ? 'GPU' : 'CPU';
}
