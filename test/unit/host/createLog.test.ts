import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/host/createLog.ts';

let dataDir: string;
let stderrText: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'log-'));
  stderrText = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderrText += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dataDir, { recursive: true, force: true });
});

const readLogLines = (): Record<string, unknown>[] =>
  readFileSync(join(dataDir, 'logs', 'companion.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('log events are JSON lines with private data hidden', async () => {
  const { log, close } = createLog({ dataDir, verbose: false });
  log('info', 'connected as ada@example.org', { apiKey: 'ak_secret', step: 'draft' });
  log('warn', 'an item stopped', { code: 'NETWORK' });
  await close();
  expect(readLogLines()).toMatchObject([
    { what: 'connected as ‹hidden›', apiKey: '‹hidden›', step: 'draft' },
    { what: 'an item stopped', code: 'NETWORK' },
  ]);
  expect(stderrText).not.toContain('connected as');
  expect(stderrText).toContain('warn an item stopped code="NETWORK"');
});

test('a verbose log writes every event to stderr with private data hidden', async () => {
  const { log, close } = createLog({ dataDir, verbose: true });
  log('info', 'connected as ada@example.org');
  await close();
  expect(stderrText).toContain('info connected as ‹hidden›');
});

test('log files are rotated by size, and only the newest five files are kept', async () => {
  const { log, close, dir } = createLog({ dataDir, verbose: false, size: '10K' });
  for (let index = 0; index < 1_500; index += 1) {
    log('info', 'something quite ordinary has happened again', { index });
    if (index % 50 === 0) await new Promise(setImmediate);
  }
  await close();
  const files = readdirSync(dir);
  expect(files).toContain('companion.log');
  expect(files.length).toBeGreaterThan(2);
  expect(files.length).toBeLessThanOrEqual(5);
  if (process.platform !== 'win32') for (const file of files) expect(statSync(join(dir, file)).mode & 0o077).toBe(0);
});

test('a log can be closed even if its file cannot be opened or written', async () => {
  mkdirSync(join(dataDir, 'logs', 'companion.log'), { recursive: true });
  const first = createLog({ dataDir, verbose: false });
  first.log('error', 'there is a folder in its place');
  await first.close();
  await first.close();
  rmSync(join(dataDir, 'logs', 'companion.log'), { recursive: true });
  // The rotated file cannot be created, so the stream fails at the first rotation.
  mkdirSync(join(dataDir, 'logs', '1-companion.log', 'in the way'), { recursive: true });
  const second = createLog({ dataDir, verbose: false, size: '1B' });
  second.log('error', 'one');
  second.log('error', 'two');
  await second.close();
  expect(stderrText).toContain('two');
});

test('log events still reach stderr if the log folder has disappeared', async () => {
  const { log, close } = createLog({ dataDir, verbose: false });
  rmSync(join(dataDir, 'logs'), { recursive: true, force: true });
  log('error', 'the disk is gone');
  await close();
  expect(stderrText).toContain('the disk is gone');
});
