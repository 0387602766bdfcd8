import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getAccessLogPath } from '../../../src/core/storage/accessLog.ts';
import { getBackupsDir, listBackupFiles } from '../../../src/core/storage/backups.ts';
import { openMigratedDatabase } from '../../../src/core/storage/database.ts';
import { restoreRequestedBackup } from '../../../src/core/storage/restore.ts';
import { callBridge, pairedAssistant } from '../../helpers/assistant.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>> | null;
beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
});
afterEach(async () => {
  await bridge?.stop();
  await world.close();
});

const file = () => join(world.dataDir, 'companion.db');
const assistants = () => world.companion().assistants;
const views = () => assistants().list().assistants;
const url = () => bridge?.url ?? '';
const pair = async (name: string) => {
  const { token, pairing } = await pairedAssistant(world, url(), name);
  const assistantId = views().find((one) => one.name === name)?.assistantId ?? '';
  return { token, pairing, assistantId };
};
type Paired = Awaited<ReturnType<typeof pair>>;
const answer = ({ token }: Pick<Paired, 'token'>, path = '/companion/me') =>
  callBridge(url(), 'GET', path, { headers: { authorization: `Bearer ${token}` } });
const code = async (one: Pick<Paired, 'token'>) => (await answer(one)).body['code'] ?? 'let in';

const copy = async (): Promise<string> => {
  await world.companion().backups.make();
  return join(getBackupsDir(world.dataDir), listBackupFiles(getBackupsDir(world.dataDir))[0]?.name ?? '');
};
const stop = async (): Promise<void> => {
  await bridge?.stop();
  bridge = null;
  await world.stop();
};
const begin = async (): Promise<void> => {
  await world.begin();
  bridge = await world.bridge();
};

/** The ways in which an older database replaces a newer database. */
const ways: Record<string, (copied: string) => Promise<void>> = {
  'the person restores a backup': async () => {
    world.companion().backups.restore('newest');
    await stop();
    restoreRequestedBackup(world.dataDir, null, world.clock.now());
    await begin();
  },
  'a damaged database is replaced by a backup': async () => {
    await stop();
    const opened = openSync(file(), 'r+');
    for (let at = 4_096; at < statSync(file()).size; at += 4_096)
      writeSync(opened, Buffer.alloc(2_048, 0x5a), 0, 2_048, at);
    closeSync(opened);
    await writeFile(`${file()}-wal`, '');
    await begin();
  },
  'an old database file is copied into the data folder': async (copied) => {
    await stop();
    copyFileSync(copied, file());
    await begin();
  },
  'an old database file is copied and the keychain is empty': async (copied) => {
    await stop();
    for (const name of ['ledger-head', 'ledger-key']) await world.secrets.remove(name);
    copyFileSync(copied, file());
    await begin();
  },
};

describe.each(Object.entries(ways))('when %s', (_way, goBack) => {
  test('a revoked assistant stays revoked, and its token no longer works', async () => {
    const revoked = await pair('Gone Helper');
    const copied = await copy();
    assistants().revoke(revoked.assistantId);
    await goBack(copied);
    expect(views()).toEqual([]);
    expect(await code(revoked)).toBe('UNAUTHORIZED');
  });

  test('rights that the backup restores are suspended until the person confirms them', async () => {
    const narrowed = await pair('Tidy Helper');
    assistants().change(narrowed.assistantId, { folders: [world.dataDir], publishesPerDay: 9 });
    const copied = await copy();
    assistants().change(narrowed.assistantId, { scope: 'read', touches: 'own', folders: [], publishesPerDay: 0 });
    await goBack(copied);
    expect(await code(narrowed)).toBe('ASSISTANT_PAUSED');
    expect(views()).toMatchObject([
      { paused: true, restored: true, scope: 'ask', touches: 'all', folders: [world.dataDir] },
    ]);
    // The assistant stays suspended after another start and after a further restriction.
    assistants().change(narrowed.assistantId, { scope: 'draft' });
    await stop();
    await begin();
    expect(await code(narrowed)).toBe('ASSISTANT_PAUSED');
    assistants().change(narrowed.assistantId, { paused: false });
    expect(views()).toMatchObject([{ paused: false, restored: false, scope: 'draft' }]);
    expect(await code(narrowed)).toBe('let in');
    await stop();
    await begin();
    expect(await code(narrowed)).toBe('let in');
  });

  test('an assistant paused by the person stays paused', async () => {
    const paused = await pair('Tidy Helper');
    const copied = await copy();
    assistants().change(paused.assistantId, { paused: true });
    await goBack(copied);
    expect(await code(paused)).toBe('ASSISTANT_PAUSED');
  });

  test('a refused or used pairing request gives no token', async () => {
    const asked = assistants().requestPairing('Refused Helper');
    const used = assistants().requestPairing('Used Helper');
    assistants().accept(used.pairingId);
    const copied = await copy();
    assistants().refuse(asked.pairingId);
    const { token = '' } = assistants().poll(used.pairingId, used.pairingSecret);
    await goBack(copied);
    expect(assistants().list().pairings).toEqual([]);
    expect(() => assistants().accept(asked.pairingId)).toThrow('This request is over.');
    for (const { pairingId, pairingSecret } of [asked, used])
      expect(assistants().poll(pairingId, pairingSecret)).toEqual({ state: 'refused' });
    expect(await code({ token })).toBe('UNAUTHORIZED');
  });

  test('an accepted pairing request that has expired gives no token', async () => {
    const late = assistants().requestPairing('Late Helper');
    assistants().accept(late.pairingId);
    const copied = await copy();
    world.clock.advance(21 * 60_000);
    assistants().requestPairing('Other Helper');
    // The pairing stays refused even if the clock is set back.
    world.clock.jumpWall(-20 * 60_000);
    await goBack(copied);
    expect(assistants().poll(late.pairingId, late.pairingSecret)).toEqual({ state: 'refused' });
  });

  test('an approval requested by a revoked assistant is not shown to the person', async () => {
    const revoked = await pair('Gone Helper');
    const { listingId } = await world.reviewed();
    const headers = { authorization: `Bearer ${revoked.token}` };
    expect((await callBridge(url(), 'DELETE', `/listings/${listingId}`, { headers })).status).toBe(202);
    const copied = await copy();
    assistants().revoke(revoked.assistantId);
    await goBack(copied);
    expect(world.companion().approvals.listPending()).toEqual([]);
  });
});

test('every assistant is suspended after a restore, even one with unchanged rights', async () => {
  const same = await pair('Tidy Helper');
  await copy();
  world.companion().backups.restore('newest');
  await stop();
  restoreRequestedBackup(world.dataDir, null, world.clock.now());
  await begin();
  expect(views()).toMatchObject([{ paused: true, restored: true }]);
  expect(await code(same)).toBe('ASSISTANT_PAUSED');
});

test('an ordinary start suspends no assistant', async () => {
  const one = await pair('Tidy Helper');
  await stop();
  await begin();
  expect(views()).toMatchObject([{ paused: false, restored: false }]);
  expect(await code(one)).toBe('let in');
});

test('assistants in a data folder from before the access log keep their rights', async () => {
  const one = await pair('Tidy Helper');
  const gone = await pair('Gone Helper');
  const copied = await copy();
  assistants().revoke(gone.assistantId);
  await stop();
  rmSync(getAccessLogPath(world.dataDir));
  for (const path of [file(), copied]) {
    const db = openMigratedDatabase(path);
    db.exec('update assistants set stamp = null');
    db.close();
  }
  await begin();
  expect(await code(one)).toBe('let in');
  await stop();
  copyFileSync(copied, file());
  await begin();
  expect([await code(one), await code(gone)]).toEqual(['ASSISTANT_PAUSED', 'UNAUTHORIZED']);
});

test('a kill during a restore gives no assistant the rights of the backup', async () => {
  const one = await pair('Tidy Helper');
  await copy();
  assistants().change(one.assistantId, { scope: 'read' });
  await stop();
  const later = readFileSync(file());
  restoreRequestedBackup(world.dataDir, 'newest', world.clock.now());
  // The kill follows the replacement of the database. Every start suspends the assistant.
  const restored = readFileSync(file());
  for (let kills = 0; kills < 2; kills += 1) {
    writeFileSync(file(), restored);
    await begin();
    expect(await code(one)).toBe('ASSISTANT_PAUSED');
    await stop();
  }
  // The earlier database does not give the rights back, either.
  writeFileSync(file(), later);
  await begin();
  expect(await code(one)).toBe('ASSISTANT_PAUSED');
});

test('a kill between the writes to access log and database suspends the changed assistant', async () => {
  const one = await pair('Tidy Helper');
  await stop();
  const whole = readFileSync(file());
  await begin();
  assistants().change(one.assistantId, { scope: 'read' });
  await stop();
  writeFileSync(file(), whole);
  await begin();
  expect(await code(one)).toBe('ASSISTANT_PAUSED');
});

describe('the access log', () => {
  const text = () => readFileSync(getAccessLogPath(world.dataDir), 'utf8');
  const damages: [string, () => void][] = [
    ['is missing', () => rmSync(getAccessLogPath(world.dataDir))],
    ['is empty', () => writeFileSync(getAccessLogPath(world.dataDir), '')],
    ['ends in the middle of a line', () => writeFileSync(getAccessLogPath(world.dataDir), text().slice(0, -9))],
    ['has an unknown line', () => writeFileSync(getAccessLogPath(world.dataDir), `${text()}{"kind":"let"}\n`)],
    [
      'lacks a line',
      () => writeFileSync(getAccessLogPath(world.dataDir), text().split('\n').toSpliced(1, 1).join('\n')),
    ],
    ['contains no valid line', () => writeFileSync(getAccessLogPath(world.dataDir), Buffer.alloc(300, 0x5a))],
  ];

  test('the access log is readable only by its owner and contains no token', async () => {
    const { token } = await pair('Tidy Helper');
    expect(statSync(getAccessLogPath(world.dataDir)).mode & 0o777).toBe(0o600);
    expect(text()).not.toContain(token);
  });

  test.each(damages)('every assistant is suspended if the access log %s', async (_what, damage) => {
    const one = await pair('Tidy Helper');
    const gone = await pair('Gone Helper');
    const copied = await copy();
    assistants().revoke(gone.assistantId);
    await stop();
    damage();
    await begin();
    expect(views()).toMatchObject([{ name: 'Tidy Helper', paused: true, restored: true }]);
    expect(await code(one)).toBe('ASSISTANT_PAUSED');
    assistants().change(one.assistantId, { paused: false });
    expect(await code(one)).toBe('let in');
    // The revoked assistant does not come back with a backup, either.
    await stop();
    copyFileSync(copied, file());
    await begin();
    expect(await code(gone)).toBe('UNAUTHORIZED');
    expect(views()).toMatchObject([{ name: 'Tidy Helper', restored: true }]);
  });

  test('the companion does not start if the access log is a folder or a device', async () => {
    const one = await pair('Tidy Helper');
    for (const put of [
      () => mkdirSync(getAccessLogPath(world.dataDir)),
      () => symlinkSync('/dev/null', getAccessLogPath(world.dataDir)),
    ]) {
      await stop();
      rmSync(getAccessLogPath(world.dataDir), { recursive: true });
      put();
      await expect(begin()).rejects.toMatchObject({
        code: 'ACCESS_FILE_UNREADABLE',
        message: expect.stringContaining('assistants-access.log') as string,
      });
    }
    rmSync(getAccessLogPath(world.dataDir));
    await begin();
    expect(await code(one)).toBe('ASSISTANT_PAUSED');
  });

  test('every assistant must pair again if a backup is restored without the access log', async () => {
    const one = await pair('Tidy Helper');
    const gone = await pair('Gone Helper');
    await copy();
    assistants().revoke(gone.assistantId);
    world.companion().backups.restore('newest');
    await stop();
    rmSync(getAccessLogPath(world.dataDir));
    restoreRequestedBackup(world.dataDir, null, world.clock.now());
    await begin();
    expect([await code(one), await code(gone)]).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
  });

  test('the access log is rewritten completely if it is deleted while the companion runs', async () => {
    const gone = await pair('Gone Helper');
    const copied = await copy();
    assistants().revoke(gone.assistantId);
    rmSync(getAccessLogPath(world.dataDir));
    const other = await pair('Other Helper');
    await stop();
    await begin();
    expect(await code(other)).toBe('let in');
    await stop();
    copyFileSync(copied, file());
    await begin();
    expect(await code(gone)).toBe('UNAUTHORIZED');
    expect((await readdir(world.dataDir)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

test('a page is no longer offered once the requesting assistant is revoked or paused', async () => {
  const [one, other] = [await pair('Tidy Helper'), await pair('Other Helper')];
  for (const by of [one, other]) await answer(by, '/market/auth-url');
  assistants().change(one.assistantId, { paused: true });
  assistants().revoke(other.assistantId);
  expect(world.companion().offers.list()).toEqual([]);
});
