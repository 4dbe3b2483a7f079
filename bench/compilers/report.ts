/** The report of bench:compilers, in Markdown. */
import { generatorText } from '../revision.ts';
import { table } from '../markdown.ts';
import { FAMILIES, type Family, type Kernel } from './compile.ts';
import { excessOf, limitOf } from './limits.ts';

const HEAD = [
  'kernel',
  'constants',
  'first case',
  'vector registers',
  'spilled',
  'scratch bytes per lane',
  'workgroup bytes',
  'waves',
  'instructions',
  'cycles',
  'ms to compile',
];
/** The columns that have numbers. */
const RIGHT = HEAD.map((_, column) => column).filter((column) => column > 2);

/** The family whose limits are kept. */
const OF_LIMITS: Family = 'navi31';

function cellsOf({ name, entryPoint, constants, ...rest }: Kernel): string[] {
  const { registers, spilled, scratch, workgroup, waves, instructions, throughput, milliseconds } = rest;
  const numbers = [registers, spilled, scratch, workgroup, waves, instructions, throughput, Math.round(milliseconds)];
  return [entryPoint === 'main' ? name : `${name}, ${entryPoint}`, constants, rest.case, ...numbers.map(String)];
}

/** Of a kernel with the same name, constants and entry point. */
function keyOf({ name, entryPoint, constants }: Kernel): string {
  return [name, entryPoint, constants].join(' ');
}

export function report(
  command: string,
  kernels: ReadonlyMap<Family, readonly Kernel[]>,
  before: ReadonlyMap<Family, readonly Kernel[]> | undefined,
): string {
  const lines = [
    '# What a compiler of graphics cards says of the kernels',
    '',
    `\`${command}\`, ${generatorText()}.`,
    '',
    "Mesa's RADV has compiled the kernels that graphics cards get, for AMD cards that are not there. Nothing ran. Waves are",
    'those of 64 lanes that a SIMD has in flight. Scratch memory is private arrays that are indexed by variables, and spilled',
    "registers. Cycles are the compiler's estimate per wave (inverse throughput), which assumes numbers of rounds for loops:",
    'they compare variants of one kernel, and not kernels.',
    '',
  ];
  for (const [family, list] of kernels) lines.push(...section(family, list, before?.get(family)), '');
  return lines.join('\n');
}

function section(family: Family, kernels: readonly Kernel[], before: readonly Kernel[] | undefined): string[] {
  const sorted = [...kernels].sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
  const spilling = sorted.filter(({ spilled }) => spilled > 0).length;
  const time = kernels.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const lines = [
    `## ${FAMILIES[family]} (${family})`,
    '',
    `${kernels.length} kernels with different constants, ${(time / 1000).toFixed(1)} s to compile. ${spilling} spill registers.`,
    '',
  ];
  if (family === OF_LIMITS) {
    const over = sorted.map(excessOf).filter((text) => text !== undefined);
    lines.push(
      over.length === 0 ? 'All are within the limits of `bench/compilers/limits.ts`.' : 'Beyond the limits:',
      '',
    );
    if (over.length > 0) lines.push(...over.map((text) => `- ${text}`), '');
    lines.push(...table(HEAD, sorted.map(cellsOf), RIGHT));
  } else lines.push(...worst(sorted));
  if (before) lines.push('', ...differences(sorted, before));
  return lines;
}

/** Kernels that take the most registers of their name, if they are beyond the limits of RDNA 3. */
function worst(kernels: readonly Kernel[]): string[] {
  const chosen = kernels.filter((kernel) => kernel.spilled > 0 || kernel.registers > limitOf(kernel).registers);
  if (chosen.length === 0) return ['None takes more registers than RDNA 3 is allowed.'];
  return [
    'Those that spill, or take more registers than they may on RDNA 3:',
    '',
    ...table(HEAD, chosen.map(cellsOf), RIGHT),
  ];
}

/** Kernels that both builds have, and whose registers, spills, scratch memory or instructions differ. */
function differences(kernels: readonly Kernel[], before: readonly Kernel[]): string[] {
  const known = new Map(before.map((kernel) => [keyOf(kernel), kernel]));
  const rows = kernels.flatMap((kernel) => {
    const old = known.get(keyOf(kernel));
    if (!old) return [];
    const pair = (name: 'registers' | 'spilled' | 'scratch' | 'waves' | 'instructions' | 'throughput'): string =>
      old[name] === kernel[name] ? String(kernel[name]) : `${old[name]} to ${kernel[name]}`;
    const cells = (['registers', 'spilled', 'scratch', 'waves', 'instructions', 'throughput'] as const).map(pair);
    return cells.some((cell) => cell.includes(' to ')) ? [[kernel.name, kernel.constants, ...cells]] : [];
  });
  const head = ['kernel', 'constants', 'vector registers', 'spilled', 'scratch', 'waves', 'instructions', 'cycles'];
  if (rows.length === 0) return ['No kernel differs from that of the other build.'];
  return ['From the other build to this one:', '', ...table(head, rows, [2, 3, 4, 5, 6, 7])];
}
