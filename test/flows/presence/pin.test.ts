import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import { openProofWindow, type ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { usualPinCost } from '../../../src/core/presence/pin.ts';

let world: World;
let window: ProofWindow;
afterEach(() => world.close());

const pin = '246813';
const minuteMs = 60_000;
const resume = { paused: false };

const startWithPin = async (options: Parameters<typeof startWorld>[0] = {}): Promise<void> => {
  world = await startWorld({ keychain: 'system', ...options });
  window = openProofWindow(world);
  window.noteSignIn();
  await window.addPin(pin);
};
const restart = async (): Promise<void> => {
  await world.stop();
  await world.begin();
  window = openProofWindow(world);
};
const tryPin = async (given: string, from = window): Promise<string> =>
  from.proveWithPin(given, 'app.pause', resume).then(
    () => 'accepted',
    (error: unknown) => (error as { code: string }).code,
  );

test('a PIN confirms a call, and neither the database nor a file contains it', async () => {
  await startWithPin();
  await expect(window.call('app.pause', resume)).rejects.toMatchObject({ code: 'PROOF_NEEDED' });
  const proofId = await window.proveWithPin(pin, 'app.pause', resume);
  expect(await window.call('app.pause', resume, proofId)).toMatchObject({ paused: false });
  const { searchHistory } = world.companion();
  expect(JSON.stringify(await searchHistory.search({ q: '', limit: 200 }))).not.toContain(pin);
  expect(await world.secrets.get('person-pin')).not.toContain(pin);
  expect(world.logs.join('\n')).not.toContain(pin);
});

test('a publish that was confirmed by PIN says so in its receipt', async () => {
  await startWithPin();
  const { approvalId, digest } = await world.asked();
  const yes = { approvalId, digest };
  window.show([yes]);
  const proofId = await window.proveWithPin(pin, 'approvals.approve', yes);
  expect(await window.call('approvals.approve', yes, proofId)).toMatchObject({ state: 'done' });
  const receipt: unknown = JSON.parse(world.companion().receipts.exportReceipt(approvalId).text);
  expect(receipt).toMatchObject({ proof: { given: { kind: 'pin', proofId }, validity: [] } });
});

test('five wrong PINs start waits of 1, 5, 15 and 60 minutes', async () => {
  await startWithPin();
  for (let attempt = 0; attempt < 4; attempt += 1) expect(await tryPin('000001')).toBe('PIN_WRONG');
  expect(world.protectionNotices.some(({ title }) => title === 'Wrong PINs were entered')).toBe(false);
  for (const minutes of [1, 5, 15, 60, 60]) {
    expect(await tryPin('000001')).toBe('PIN_WRONG');
    expect(window.presence.readState().pin?.waitLeftMs).toBe(minutes * minuteMs);
    expect(await tryPin(pin)).toBe('PIN_WAITS');
    world.clock.advance(minutes * minuteMs - 1);
    expect(await tryPin(pin)).toBe('PIN_WAITS');
    world.clock.advance(1);
  }
  expect(await tryPin(pin)).toBe('accepted');
  expect(window.presence.readState().pin?.waitLeftMs).toBe(0);
  expect(await listLedgerRows(world, 'proof.pin_waits')).toHaveLength(5);
  expect(world.protectionNotices.filter(({ title }) => title === 'Wrong PINs were entered')).toHaveLength(5);
  for (let attempt = 0; attempt < 4; attempt += 1) expect(await tryPin('000001')).toBe('PIN_WRONG');
  expect(await tryPin(pin)).toBe('accepted');
});

test('PINs entered during a wait add no rows to the history', async () => {
  await startWithPin();
  for (let attempt = 0; attempt < 5; attempt += 1) await tryPin('000001');
  const { token } = await window.openPage('app.pause', resume);
  for (let attempt = 0; attempt < 50; attempt += 1)
    await expect(window.presence.confirmWithPin(token, pin)).rejects.toMatchObject({ code: 'PIN_WAITS' });
  const rows = (await listLedgerRows(world, 'proof.refused')).map(({ facts }) => facts);
  // The first two rows are for the wrong PINs before.
  expect(rows.map(({ count = 1 }) => count)).toEqual([10, 2, 1, 2, 1]);
  expect(rows).toMatchObject(rows.map(() => ({ kind: 'pin', call: 'app.pause' })));
});

test('60 PINs over restarts and clock changes get no more than six checks', async () => {
  await startWithPin();
  const answers: string[] = [];
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if (attempt % 7 === 6) await restart();
    world.clock.jumpWall(attempt % 2 === 0 ? 90 * minuteMs : -45 * minuteMs);
    world.clock.advance(1_000);
    answers.push(await tryPin(String(100_000 + attempt)));
  }
  expect(answers.filter((answer) => answer === 'PIN_WRONG').length).toBeLessThanOrEqual(6);
  expect(answers.slice(10)).not.toContain('accepted');
  expect(await tryPin(pin)).toBe('PIN_WAITS');
}, 120_000);

test('ending the companion during a PIN check gives no extra attempt', async () => {
  await startWithPin();
  for (let attempt = 0; attempt < 4; attempt += 1) await tryPin('000001');
  const { token } = await window.openPage('app.pause', resume);
  const checked = window.presence.confirmWithPin(token, '000001').catch(() => null);
  await restart();
  await checked;
  expect(await tryPin(pin)).toBe('PIN_WAITS');
});

test('simultaneous PIN attempts are counted one after another', async () => {
  await startWithPin();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => tryPin(String(200_000 + at), openProofWindow(world))),
  );
  expect(answers.filter((answer) => answer === 'PIN_WRONG')).toHaveLength(5);
  expect(answers.filter((answer) => answer === 'PIN_WAITS')).toHaveLength(7);
});

test('after a wrong PIN, the same page accepts the right one', async () => {
  await startWithPin();
  const { token } = await window.openPage('app.pause', resume);
  await expect(window.presence.confirmWithPin(token, '000001')).rejects.toMatchObject({ code: 'PIN_WRONG' });
  const proofId = await window.presence.confirmWithPin(token, pin);
  expect(await window.call('app.pause', resume, proofId)).toMatchObject({ paused: false });
});

test.each(['12345', '111111', ''])('the PIN %j is too simple', async (simple) => {
  world = await startWorld();
  window = openProofWindow(world);
  window.noteSignIn();
  await expect(window.addPin(simple)).rejects.toMatchObject({ code: 'PIN_TOO_SHORT' });
  expect(window.presence.readState().isSetUp).toBe(false);
});

test.each(['\u0001\u0002\u0003\u0004\u0005\u0006', '246\u200b813', '246813\n'])(
  'the PIN %j is refused, because the person could not see what they type',
  async (hidden) => {
    world = await startWorld();
    window = openProofWindow(world);
    window.noteSignIn();
    await expect(window.addPin(hidden)).rejects.toMatchObject({
      code: 'PIN_HIDDEN_CHARACTER',
      message: 'A PIN cannot contain invisible characters. Use letters, digits or signs.',
    });
    expect(window.presence.readState().isSetUp).toBe(false);
  },
);

test('without a keychain, a PIN lasts for this run', async () => {
  await startWithPin({ keychain: 'memory' });
  expect(window.presence.readState().pin).toMatchObject({ keychain: 'memory' });
  await restart();
  expect(window.presence.readState()).toMatchObject({ isSetUp: false, pin: null });
});

test('a start after the end of a PIN without a keychain says once that the PIN is gone', async () => {
  await startWithPin({ keychain: 'memory' });
  // A process that is killed leaves the file of the proofs as it is.
  const file = join(world.dataDir, 'person-proofs.json');
  const killed = await readFile(file);
  await world.stop();
  await writeFile(file, killed);
  await world.begin();
  const countNotices = () => world.protectionNotices.filter(({ title }) => title === 'Your PIN has ended').length;
  expect(await listLedgerRows(world, 'proof.pin_ended')).toHaveLength(1);
  expect(countNotices()).toBe(1);
  expect(world.protectionNotices.at(-1)?.text).toBe('It was only for the last run. Set up another one in Settings.');
  await restart();
  expect(await listLedgerRows(world, 'proof.pin_ended')).toHaveLength(1);
  expect(countNotices()).toBe(1);
});

test('if the keychain no longer contains the PIN, nothing is confirmed', async () => {
  await startWithPin();
  await world.secrets.remove('person-pin');
  expect(await tryPin(pin)).toBe('PIN_GONE');
  await expect(window.call('app.pause', resume)).rejects.toMatchObject({ code: 'PROOF_NEEDED' });
});

test('a PIN that is hashed at the production cost is accepted', async () => {
  await startWithPin({ pinCost: usualPinCost });
  expect(await tryPin('000001')).toBe('PIN_WRONG');
  expect(await tryPin(pin)).toBe('accepted');
});
