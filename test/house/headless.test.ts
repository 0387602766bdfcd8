import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runHeadless, startHeadless, testFlags, type Ended } from '../helpers/startHeadless.ts';

// Each test starts the whole companion, some of them three times.
vi.setConfig({ testTimeout: 120_000 });

let dataDir: string;

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'companion-')), 'data');
});
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true, force: true }));

const oneSentence = ({ stderr }: Ended): boolean => /^\S.*[.\]]\n$/.test(stderr);

// Windows has no signal that a program could answer: there a stop is always rude.
const politely = test.skipIf(process.platform === 'win32');

politely('the headless host says where it is, lets the person in, and stops on Ctrl-C', async () => {
  const headless = await startHeadless(testFlags(dataDir));
  expect(new URL(headless.ui).hostname).toBe('127.0.0.1');
  expect((await fetch(headless.ui, { redirect: 'manual' })).status).toBe(303);
  expect((await fetch(new URL('/health', headless.bridge))).ok).toBe(true);
  expect(existsSync(join(dataDir, 'bridge.json'))).toBe(true);
  expect(await headless.stop('SIGINT')).toBe(0);
  expect(existsSync(join(dataDir, 'bridge.json'))).toBe(false);
});

politely('it starts again on the same data after a polite and after a rude end', async () => {
  expect(await (await startHeadless(testFlags(dataDir))).stop('SIGTERM')).toBe(0);
  await (await startHeadless(testFlags(dataDir))).stop('SIGKILL');
  expect(await (await startHeadless(testFlags(dataDir))).stop()).toBe(0);
});

politely('a second one on the same data ends with a sentence', async () => {
  const first = await startHeadless(testFlags(dataDir));
  const second = (await runHeadless(testFlags(dataDir))) as Ended;
  expect(second.code).toBe(1);
  expect(oneSentence(second)).toBe(true);
  expect(await first.stop()).toBe(0);
});

test.each([[['--colour']], [['--ui-port', 'x']], [['--service', 'ftp://shop.example']]])(
  '%j ends with a sentence and the code 2',
  async (flags) => {
    const ended = (await runHeadless(flags)) as Ended;
    expect([ended.code, oneSentence(ended) || ended.stderr]).toEqual([2, true]);
  },
);

politely('a folder that cannot be written to and a taken port each end with a sentence', async () => {
  const file = join(dataDir, '..', 'file');
  writeFileSync(file, '');
  const unwritable = (await runHeadless(testFlags(join(file, 'data')))) as Ended;
  expect([unwritable.code, oneSentence(unwritable) || unwritable.stderr]).toEqual([1, true]);

  const first = await startHeadless(testFlags(dataDir));
  const flags = [...testFlags(`${dataDir}-2`), '--ui-port', new URL(first.ui).port];
  const taken = (await runHeadless(flags)) as Ended;
  expect([taken.code, oneSentence(taken) || taken.stderr]).toEqual([1, true]);
  expect(await first.stop()).toBe(0);
});
