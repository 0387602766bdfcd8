import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { Problem } from '../../../src/core/base/problem.ts';
import { logUnhandledRejections, createProblemReporter } from '../../../src/host/processLifetime.ts';

const module = new URL('../../../src/host/processLifetime.ts', import.meta.url).href;

/** Runs a process with an unhandled rejection. The process prints "it lives" afterwards if it is still running. */
const runRejectingProcess = (policy: string) => {
  const program = `
    import { ${logUnhandledRejections.name} as listen } from ${JSON.stringify(module)};
    const undo = listen((level, message, facts) => console.log(level, message, JSON.stringify(facts)));
    ${policy}
    void Promise.reject(Object.assign(new TypeError('a secret text'), { code: 'ODD' }));
    setImmediate(() => setImmediate(() => console.log('it lives')));
  `;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trim().split('\n') };
};

test('an unhandled rejection is logged without its text and does not end the process', () => {
  expect(runRejectingProcess('')).toEqual({
    status: 0,
    lines: ['error unhandled rejection {"kind":"TypeError","code":"ODD"}', 'it lives'],
  });
});

test('without the handler, an unhandled rejection ends the process', () => {
  const { status, lines } = runRejectingProcess('undo();');
  expect(status).toBe(1);
  expect(lines).toEqual(['']);
});

test('an unexpected error of a window call is logged without its text', () => {
  const lines: unknown[] = [];
  const view = createProblemReporter((...line) => void lines.push(line));
  expect(view(Object.assign(new TypeError('a secret text'), { code: 'ODD' }), 'connect.practice').code).toBe(
    'INTERNAL',
  );
  expect(view('a secret text', 'app.state').code).toBe('INTERNAL');
  expect(view(new Problem('NOT_NOW', 'Not now.'), 'app.state').code).toBe('NOT_NOW');
  expect(lines).toEqual([
    ['error', 'window call failed', { call: 'connect.practice', kind: 'TypeError', code: 'ODD' }],
    ['error', 'window call failed', { call: 'app.state', kind: 'string' }],
  ]);
});
