/**
 * Which shard of a scene's pairs a command takes: `--shard I/N`, or the variables of a CI system.
 *
 * | system                 | index                       | count         |
 * | ---------------------- | --------------------------- | ------------- |
 * | GitLab `parallel`      | CI_NODE_INDEX, from 1       | CI_NODE_TOTAL |
 * | Kubernetes indexed job | JOB_COMPLETION_INDEX, from 0 | `--shards N`  |
 */

import { usageError } from './exit.ts';
import { MAX_SHARDS } from './report/report-header.ts';

/** For `parseCommand`. */
export const SHARD_OPTIONS = { shard: { type: 'string' }, shards: { type: 'string' } } as const;

/** The `index`-th of `count` shards, counted from 1. */
export interface ShardChoice {
  index: number;
  count: number;
}

type Variables = Record<string, string | undefined>;

/** Undefined: all pairs. An option is stronger than a variable. */
export function readShardChoice(
  { shard, shards }: { shard?: string; shards?: string },
  variables: Variables = process.env,
): ShardChoice | undefined {
  if (shard !== undefined && shards !== undefined) {
    throw usageError(`--shard ${shard} and --shards ${shards} are both given, expected one of them`);
  }
  if (shard !== undefined) return readFraction(shard);
  const { CI_NODE_INDEX: node, CI_NODE_TOTAL: nodes, JOB_COMPLETION_INDEX: completion } = variables;
  if (shards !== undefined) {
    const count = readNumber('--shards', shards, 1, MAX_SHARDS);
    if (completion) return { index: readNumber('JOB_COMPLETION_INDEX', completion, 0, count - 1) + 1, count };
    if (node) return { index: readNumber('CI_NODE_INDEX', node, 1, count), count };
    throw usageError(
      `--shards is ${shards}, expected JOB_COMPLETION_INDEX or CI_NODE_INDEX in the environment; ` +
        '--shard I/N names a shard without them',
    );
  }
  if (!node || !nodes) return undefined;
  const count = readNumber('CI_NODE_TOTAL', nodes, 1, MAX_SHARDS);
  return { index: readNumber('CI_NODE_INDEX', node, 1, count), count };
}

/** Parses `I/N`. */
function readFraction(text: string): ShardChoice {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index >= 1 && index <= count && count <= MAX_SHARDS) return { index, count };
  throw usageError(
    `--shard is ${JSON.stringify(text)}, expected I/N, two whole numbers with 1 <= I <= N <= ${MAX_SHARDS}`,
  );
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw usageError(`${name} is ${JSON.stringify(text)}, expected a whole number from ${least} to ${most}`);
}
