import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createCommandOutput, toTerminalText } from '../../../src/cli/command.ts';

/** Returns what is written to stderr and stdout for two progress updates and a result. */
const captureOutput = async (isTTY: boolean, json = false): Promise<[string, string]> => {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })];
  const both = [text(stderr), text(stdout)] as const;
  const out = createCommandOutput({ stdout, stderr }, json);
  out.progress('Uploading, 1 of 4 photos', 1, 4);
  out.progress('Uploading, 1 of 4 photos', 1, 4);
  out.progress('Being written', 0, 0);
  out.result(['Done.'], { done: true });
  stdout.end();
  stderr.end();
  return Promise.all(both);
};

test('a terminal shows one progress bar that updates in place', async () => {
  const [stderr, stdout] = await captureOutput(true);
  expect(stderr).toBe(
    '\r\u001b[K[######------------------] Uploading, 1 of 4 photos\r\u001b[K[------------------------] Being written\n',
  );
  expect(stdout).toBe('Done.\n');
});

test('without a terminal, progress is printed line by line, but never with JSON output', async () => {
  expect(await captureOutput(false)).toEqual(['Uploading, 1 of 4 photos\nBeing written\n', 'Done.\n']);
  expect(await captureOutput(false, true)).toEqual(['', '{\n  "done": true\n}\n']);
});

test('untrusted text is printed as one line without control characters', () => {
  expect(toTerminalText('a\u001b[2Jb\nc')).not.toMatch(/[\u001b\n]/);
  expect(toTerminalText(undefined)).toBe('');
});
