/**
 * What the compiler of graphics cards says of the kernels that cards get: registers, spilled ones, memory, waves in flight,
 * instructions. Nothing runs, and no card is needed: Mesa's RADV compiles for AMD cards that are not there.
 *
 *     npm run bench:compilers -- [--families navi31,navi21,vega10] [--cases contacts/box,…] [--against BUILD] [--out FILE]
 *
 * `--against` compares with the build in another folder, which has dist/. Needs gcc, the headers of Vulkan, and Mesa's drivers
 * (Debian 12: gcc libc6-dev libvulkan-dev, mesa-vulkan-drivers of bookworm-backports).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, optionsOrExit, readArguments, someOf } from '../options.ts';
import { CASES } from './cases.ts';
import { compileKernels, FAMILIES, type Family } from './compile.ts';
import { report } from './report.ts';

const HELP = `npm run bench:compilers -- [--families ${Object.keys(FAMILIES).join(',')}] [--cases NAME,…] [--against BUILD] [--out FILE]

cases: ${CASES.map(({ name }) => name).join(', ')}`;

const { families, cases, against, out } = optionsOrExit('bench:compilers', HELP, (args) => {
  const values = readArguments(args, ['help'], ['families', 'cases', 'against', 'out']);
  if (values.help) return null;
  const names = someOf(
    '--cases',
    values.cases,
    CASES.map(({ name }) => name),
  );
  return {
    families: someOf('--families', values.families, Object.keys(FAMILIES) as Family[]),
    cases: CASES.filter(({ name }) => names.includes(name)),
    against: values.against,
    out: values.out,
  };
});

const kernels = await compileKernels(join(import.meta.dirname, '../..'), cases, families);
const before = against === undefined ? undefined : await compileKernels(against, cases, families);
const text = report(commandLine('npm run bench:compilers'), kernels, before);
if (out === undefined) console.log(text);
else writeFileSync(out, text);
