/**
 * `narrowphase conformance`: every engine of this machine against the double-precision reference and the brute-force
 * oracle, over seeded families of pairs.
 */

import { DEFAULT_TIMEOUT, oneOf, parseCommand, timeoutMs, wholeNumber } from './arguments.ts';
import { conformanceFamilies } from '../verification/families/conformance.ts';
import { examine, totalAnswers } from './conformance/examine.ts';
import { engineReport, makeReport, type EngineReport } from './conformance/report.ts';
import { makeJudgedFamily, type JudgedFamily } from './conformance/judged-family.ts';
import { markdown } from './conformance/tables.ts';
import type { EngineName } from '../verification/engines/engine.ts';
import { everyEngine, type FoundEngine } from './open-engine.ts';
import { CommandError, ExitCode, usageError } from './exit.ts';
import { checkOutput, notice, print, writeOutput } from './write-output.ts';
import { startProgress } from './progress.ts';

const NAMES = ['chrome', 'firefox', 'dawn', 'cpu'] as const satisfies EngineName[];
const FORMATS = ['markdown', 'json'] as const;

interface ConformanceOptions {
  pairs: number;
  judged: number;
  seed: number;
  /** Parts of names of families. Default: every family. */
  families?: readonly string[];
  engine?: EngineName;
  format: (typeof FORMATS)[number];
  out?: string;
  timeout: number;
}

export async function conformance(args: string[], generator: string): Promise<ExitCode> {
  const { engine, format, out, timeout, ...options } = conformanceOptions(args);
  if (out !== undefined) await checkOutput({ option: '--out', file: out }, []);
  const judgedFamilies = prepare(options);
  const engines: EngineReport[] = [];
  for await (const found of everyEngine({ timeout, notice }, engine))
    engines.push(await engineReportOf(found, judgedFamilies));
  if (engines.every(({ unavailable }) => unavailable !== null)) {
    throw new CommandError(
      ExitCode.CannotRun,
      `narrowphase: engine ${engine} cannot run: ${engines.map(({ unavailable }) => unavailable).join('; ')}`,
    );
  }
  const report = makeReport(generator, options, judgedFamilies, engines);
  const json = [`${JSON.stringify(report, null, 2)}\n`];
  if (out !== undefined) await writeOutput({ option: '--out', file: out }, json);
  await print(format === 'json' ? json : [markdown(report)]);
  return report.passed ? ExitCode.Done : ExitCode.CheckFailed;
}

/** The selected families with their true answers. */
function prepare({
  pairs,
  judged,
  seed,
  families: names,
}: Pick<ConformanceOptions, 'pairs' | 'judged' | 'seed' | 'families'>): JudgedFamily[] {
  const families = [...conformanceFamilies(pairs, seed)].filter(
    ({ name }) => !names || names.some((part) => name.includes(part)),
  );
  if (families.length === 0)
    throw usageError(`--families names none: no family has ${names!.join(' or ')} in its name`);
  const progress = startProgress(
    'reference and oracle',
    families.reduce((sum, family) => sum + family.pairs.length / 2, 0),
    'pairs',
  );
  let done = 0;
  const judgedFamilies = families.map((family) => {
    const judgedFamily = makeJudgedFamily(family, judged);
    done += judgedFamily.pairs;
    progress.update(done);
    return judgedFamily;
  });
  progress.end();
  return judgedFamilies;
}

async function engineReportOf(found: FoundEngine, judgedFamilies: readonly JudgedFamily[]): Promise<EngineReport> {
  if (!('engine' in found)) return engineReport(found, null);
  const { name, detail, engine } = found;
  const progress = startProgress([name, detail].filter(Boolean).join(' '), totalAnswers(judgedFamilies), 'answers');
  const examination = await examine(engine, judgedFamilies, (answered) => progress.update(answered));
  progress.end();
  return engineReport(found, examination);
}

function conformanceOptions(args: string[]): ConformanceOptions {
  const { values, positionals } = parseCommand(args, {
    pairs: { type: 'string', default: '10000' },
    judged: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    families: { type: 'string' },
    engine: { type: 'string' },
    format: { type: 'string', default: 'markdown' },
    out: { type: 'string' },
    timeout: { type: 'string', default: DEFAULT_TIMEOUT },
  });
  if (positionals.length > 0) throw usageError(`conformance takes no files, ${JSON.stringify(positionals[0])} given`);
  return {
    pairs: wholeNumber('--pairs', values.pairs, 1),
    judged: wholeNumber('--judged', values.judged),
    seed: wholeNumber('--seed', values.seed),
    families: values.families?.split(','),
    engine: values.engine === undefined ? undefined : oneOf('--engine', values.engine, NAMES),
    format: oneOf('--format', values.format, FORMATS),
    out: values.out,
    timeout: timeoutMs(values.timeout),
  };
}
