/** What reports say about the browser that the check ran in. */

import type { EngineFacts } from '../../verification/engines/engine.ts';

const BROWSERS: [RegExp, string][] = [
  [/Firefox\/([\d.]+)/, 'Firefox'],
  [/(?:Headless)?Chrome\/([\d.]+)/, 'Chrome'],
  [/Version\/([\d.]+).*Safari/, 'Safari'],
];

/** The name and runtime of the engine. The report's format names only two browsers; `runtime` has the browser's own name. */
export function browserName(backend: 'webgpu' | 'cpu'): Pick<EngineFacts, 'name' | 'runtime'> {
  const agent = navigator.userAgent;
  const [pattern, browser] = BROWSERS.find(([each]) => each.test(agent)) ?? [/()/, 'a browser'];
  const runtime = `${browser} ${pattern.exec(agent)?.[1] ?? ''}`.trim();
  if (backend === 'cpu') return { name: 'cpu', runtime };
  return { name: browser === 'Firefox' ? 'firefox' : 'chrome', runtime };
}
