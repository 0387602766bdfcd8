import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/base/clock.ts';
import { startUi } from '../../../src/headless/startUi.ts';
import { createStartReport } from '../../../src/host/startReport.ts';
import { startScene, type Scene } from '../../helpers/bridge/scene.ts';
import { createFakeRunning } from '../../helpers/hosts/createFakeRunning.ts';
import { rows, type Row, type Target } from './rows.ts';

let scene: Scene;
const startReport = createStartReport(() => undefined);
let ui: Awaited<ReturnType<typeof startUi>>;
let rendererDir: string;
const targets: Partial<Record<Target['name'], Target>> = {};

beforeAll(async () => {
  scene = await startScene();
  const { practice } = scene.world;
  const { agentKey } = await practice.person();
  rendererDir = mkdtempSync(join(tmpdir(), 'renderer-'));
  mkdirSync(join(rendererDir, 'assets'));
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><html><head></head><body></body></html>');
  ui = await startUi({
    running: Promise.resolve(createFakeRunning()),
    startReport,
    rendererDir,
    port: 0,
    clock: systemClock,
  });
  const window = new URL(ui.url);
  targets.bridge = {
    name: 'bridge',
    host: new URL(scene.url).host,
    read: '/agent/me',
    write: '/listings',
    known: [`Authorization: Bearer ${scene.one.token}`],
  };
  targets.window = { name: 'window', host: window.host, read: '/', write: '/calls', known: [] };
  targets.practice = {
    name: 'practice',
    host: new URL(practice.url).host,
    read: '/agent/me',
    write: '/listings',
    known: [`Authorization: Bearer ${agentKey}`],
  };
});
afterAll(async () => {
  await ui.stop();
  rmSync(rendererDir, { recursive: true, force: true });
  await scene.close();
});

/** Returns everything that the server sends in response to these bytes until the connection closes. */
const sendBytes = (host: string, bytes: string | Buffer, ends = false): Promise<string> =>
  new Promise((resolve) => {
    let got = '';
    const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
    socket.on('data', (chunk: Buffer) => (got += chunk.toString('latin1')));
    // A refusal during the upload ends in a connection reset; the bytes received before it count.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(got));
    const all = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    if (ends) socket.end(all);
    else socket.write(all);
  });
const listStatuses = (got: string): number[] =>
  [...got.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const toValidRequest = ({ host, read, known }: Target): string =>
  [`GET ${read} HTTP/1.1`, `Host: ${host}`, ...known, 'Connection: close', '', ''].join('\r\n');

const listWrongStatuses = ({ passes }: Row, { name }: Target, statuses: readonly number[]): number[] => {
  const minStatus = passes?.includes(name) ? 200 : 400;
  return statuses.filter((status) => status >= 500 || status < minStatus);
};

test('the table of hostile requests has at least sixty rows', () => expect(rows.length).toBeGreaterThanOrEqual(60));

describe.each(['bridge', 'window', 'practice'] as const)('hostile requests to the %s server', (name) => {
  test.each(rows)('a hostile request causes no server error and reveals no internals: $what', async (row) => {
    const target = targets[name] as Target;
    const got = await sendBytes(target.host, row.bytes(target), row.ends);
    expect(listWrongStatuses(row, target, listStatuses(got)), got.slice(0, 500)).toEqual([]);
    expect(got).not.toMatch(/node:internal|at \S+ \(|\/src\//);
    expect(listStatuses(await sendBytes(target.host, toValidRequest(target)))).toEqual([200]);
  });
});
