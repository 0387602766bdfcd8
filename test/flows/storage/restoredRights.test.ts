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
import { getBackupsDir, listBackupFiles } from '../../../src/core/storage/backupFiles.ts';
import { openMigratedDatabase } from '../../../src/core/storage/database.ts';
import { restoreRequestedBackup } from '../../../src/core/storage/restore.ts';
import { callBridge, pairAssistant } from '../../helpers/assistant.ts';
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

const getDatabasePath = () => join(world.dataDir, 'companion.db');
const getAssistants = () => world.companion().assistants;
const listAssistants = () => getAssistants().list().assistants;
const getBridgeUrl = () => bridge?.url ?? '';
const pairWithId = async (name: string) => {
  const { token, pairing } = await pairAssistant(world, getBridgeUrl(), name);
  const assistantId = listAssistants().find((one) => one.name === name)?.assistantId ?? '';
  return { token, pairing, assistantId };
};
type Paired = Awaited<ReturnType<typeof pairWithId>>;
const callAs = ({ token }: Pick<Paired, 'token'>, path = '/companion/me') =>
  callBridge(getBridgeUrl(), 'GET', path, { headers: { authorization: `Bearer ${token}` } });
const readCode = async (one: Pick<Paired, 'token'>) => (await callAs(one)).body['code'] ?? 'accepted';

const createBackup = async (): Promise<string> => {
  await world.companion().backups.make();
  return join(getBackupsDir(world.dataDir), listBackupFiles(getBackupsDir(world.dataDir))[0]?.name ?? '');
};
const stopCompanion = async (): Promise<void> => {
  await bridge?.stop();
  bridge = null;
  await world.stop();
};
const startCompanion = async (): Promise<void> => {
  await world.begin();
  bridge = await world.bridge();
};

/** The ways in which an older database replaces a newer database. */
const ways: Record<string, (copied: string) => Promise<void>> = {
  'the person restores a backup': async () => {
    await world.companion().backups.restore('newest');
    await stopCompanion();
    restoreRequestedBackup(world.dataDir, null, world.clock.now());
    await startCompanion();
  },
  'a damaged database is replaced by a backup': async () => {
    await stopCompanion();
    const opened = openSync(getDatabasePath(), 'r+');
    for (let at = 4_096; at < statSync(getDatabasePath()).size; at += 4_096)
      writeSync(opened, Buffer.alloc(2_048, 0x5a), 0, 2_048, at);
    closeSync(opened);
    await writeFile(`${getDatabasePath()}-wal`, '');
    await startCompanion();
  },
  'an old database file is copied into the data folder': async (copied) => {
    await stopCompanion();
    copyFileSync(copied, getDatabasePath());
    await startCompanion();
  },
  'an old database file is copied and the keychain is empty': async (copied) => {
    await stopCompanion();
    for (const name of ['ledger-head', 'ledger-key']) await world.secrets.remove(name);
    copyFileSync(copied, getDatabasePath());
    await startCompanion();
  },
};

describe.each(Object.entries(ways))('when %s', (_way, goBack) => {
  test('an assistant revoked after the backup stays revoked, and its token is not accepted', async () => {
    const revoked = await pairWithId('Gone Helper');
    const copied = await createBackup();
    getAssistants().revoke(revoked.assistantId);
    await goBack(copied);
    expect(listAssistants()).toEqual([]);
    expect(await readCode(revoked)).toBe('UNAUTHORIZED');
  });

  test('rights that come back with a backup are suspended until the person confirms them', async () => {
    const narrowed = await pairWithId('Tidy Helper');
    getAssistants().change(narrowed.assistantId, { folders: [world.dataDir], publishesPerDay: 9 });
    const copied = await createBackup();
    getAssistants().change(narrowed.assistantId, { scope: 'read', touches: 'own', folders: [], publishesPerDay: 0 });
    await goBack(copied);
    expect(await readCode(narrowed)).toBe('ASSISTANT_PAUSED');
    expect(listAssistants()).toMatchObject([
      { paused: true, restored: true, scope: 'ask', touches: 'all', folders: [world.dataDir] },
    ]);
    // The assistant stays suspended after another start and after a further restriction.
    getAssistants().change(narrowed.assistantId, { scope: 'draft' });
    await stopCompanion();
    await startCompanion();
    expect(await readCode(narrowed)).toBe('ASSISTANT_PAUSED');
    getAssistants().change(narrowed.assistantId, { paused: false });
    expect(listAssistants()).toMatchObject([{ paused: false, restored: false, scope: 'draft' }]);
    expect(await readCode(narrowed)).toBe('accepted');
    await stopCompanion();
    await startCompanion();
    expect(await readCode(narrowed)).toBe('accepted');
  });

  test('an assistant that the person paused after the backup stays paused', async () => {
    const paused = await pairWithId('Tidy Helper');
    const copied = await createBackup();
    getAssistants().change(paused.assistantId, { paused: true });
    await goBack(copied);
    expect(await readCode(paused)).toBe('ASSISTANT_PAUSED');
  });

  test('a pairing request that was refused or used after the backup gives no token', async () => {
    const asked = getAssistants().requestPairing('Refused Helper');
    const used = getAssistants().requestPairing('Used Helper');
    getAssistants().accept(used.pairingId);
    const copied = await createBackup();
    getAssistants().refuse(asked.pairingId);
    const { token = '' } = getAssistants().poll(used.pairingId, used.pairingSecret);
    await goBack(copied);
    expect(getAssistants().list().pairings).toEqual([]);
    expect(() => getAssistants().accept(asked.pairingId)).toThrow('This request is over.');
    for (const { pairingId, pairingSecret } of [asked, used])
      expect(getAssistants().poll(pairingId, pairingSecret)).toEqual({ state: 'refused' });
    expect(await readCode({ token })).toBe('UNAUTHORIZED');
  });

  test('a pairing request that was accepted but has expired gives no token after a restore', async () => {
    const late = getAssistants().requestPairing('Late Helper');
    getAssistants().accept(late.pairingId);
    const copied = await createBackup();
    world.clock.advance(21 * 60_000);
    getAssistants().requestPairing('Other Helper');
    // The pairing stays refused even if the clock is set back.
    world.clock.jumpWall(-20 * 60_000);
    await goBack(copied);
    expect(getAssistants().poll(late.pairingId, late.pairingSecret)).toEqual({ state: 'refused' });
  });

  test('after a restore, the person does not see an approval requested by a revoked assistant', async () => {
    const revoked = await pairWithId('Gone Helper');
    const { listingId } = await world.reviewed();
    const headers = { authorization: `Bearer ${revoked.token}` };
    expect((await callBridge(getBridgeUrl(), 'DELETE', `/listings/${listingId}`, { headers })).status).toBe(202);
    const copied = await createBackup();
    getAssistants().revoke(revoked.assistantId);
    await goBack(copied);
    expect(world.companion().approvals.listPending()).toEqual([]);
  });
});

test('every assistant is suspended after a restore, even one with unchanged rights', async () => {
  const same = await pairWithId('Tidy Helper');
  await createBackup();
  await world.companion().backups.restore('newest');
  await stopCompanion();
  restoreRequestedBackup(world.dataDir, null, world.clock.now());
  await startCompanion();
  expect(listAssistants()).toMatchObject([{ paused: true, restored: true }]);
  expect(await readCode(same)).toBe('ASSISTANT_PAUSED');
});

test('an ordinary start suspends no assistant', async () => {
  const one = await pairWithId('Tidy Helper');
  await stopCompanion();
  await startCompanion();
  expect(listAssistants()).toMatchObject([{ paused: false, restored: false }]);
  expect(await readCode(one)).toBe('accepted');
});

test('assistants in a data folder from before the access log keep their rights', async () => {
  const one = await pairWithId('Tidy Helper');
  const gone = await pairWithId('Gone Helper');
  const copied = await createBackup();
  getAssistants().revoke(gone.assistantId);
  await stopCompanion();
  rmSync(getAccessLogPath(world.dataDir));
  for (const path of [getDatabasePath(), copied]) {
    const db = openMigratedDatabase(path);
    db.exec('update assistants set stamp = null');
    db.close();
  }
  await startCompanion();
  expect(await readCode(one)).toBe('accepted');
  await stopCompanion();
  copyFileSync(copied, getDatabasePath());
  await startCompanion();
  expect([await readCode(one), await readCode(gone)]).toEqual(['ASSISTANT_PAUSED', 'UNAUTHORIZED']);
});

test('a kill during a restore gives no assistant the rights of the backup', async () => {
  const one = await pairWithId('Tidy Helper');
  await createBackup();
  getAssistants().change(one.assistantId, { scope: 'read' });
  await stopCompanion();
  const later = readFileSync(getDatabasePath());
  restoreRequestedBackup(world.dataDir, 'newest', world.clock.now());
  // The kill follows the replacement of the database. Every start suspends the assistant.
  const restored = readFileSync(getDatabasePath());
  for (let kills = 0; kills < 2; kills += 1) {
    writeFileSync(getDatabasePath(), restored);
    await startCompanion();
    expect(await readCode(one)).toBe('ASSISTANT_PAUSED');
    await stopCompanion();
  }
  // The earlier database does not give the rights back, either.
  writeFileSync(getDatabasePath(), later);
  await startCompanion();
  expect(await readCode(one)).toBe('ASSISTANT_PAUSED');
});

test('an assistant is suspended if a kill stops its change between the access log and the database', async () => {
  const one = await pairWithId('Tidy Helper');
  await stopCompanion();
  const whole = readFileSync(getDatabasePath());
  await startCompanion();
  getAssistants().change(one.assistantId, { scope: 'read' });
  await stopCompanion();
  writeFileSync(getDatabasePath(), whole);
  await startCompanion();
  expect(await readCode(one)).toBe('ASSISTANT_PAUSED');
});

describe('the access log', () => {
  const readAccessLog = () => readFileSync(getAccessLogPath(world.dataDir), 'utf8');
  const damages: [string, () => void][] = [
    ['is missing', () => rmSync(getAccessLogPath(world.dataDir))],
    ['is empty', () => writeFileSync(getAccessLogPath(world.dataDir), '')],
    [
      'ends in the middle of a line',
      () => writeFileSync(getAccessLogPath(world.dataDir), readAccessLog().slice(0, -9)),
    ],
    ['has an unknown line', () => writeFileSync(getAccessLogPath(world.dataDir), `${readAccessLog()}{"kind":"let"}\n`)],
    [
      'lacks a line',
      () => writeFileSync(getAccessLogPath(world.dataDir), readAccessLog().split('\n').toSpliced(1, 1).join('\n')),
    ],
    ['contains no valid line', () => writeFileSync(getAccessLogPath(world.dataDir), Buffer.alloc(300, 0x5a))],
  ];

  test('the access log is readable only by its owner and contains no token', async () => {
    const { token } = await pairWithId('Tidy Helper');
    expect(statSync(getAccessLogPath(world.dataDir)).mode & 0o777).toBe(0o600);
    expect(readAccessLog()).not.toContain(token);
  });

  test.each(damages)('every assistant is suspended if the access log %s', async (_what, damage) => {
    const one = await pairWithId('Tidy Helper');
    const gone = await pairWithId('Gone Helper');
    const copied = await createBackup();
    getAssistants().revoke(gone.assistantId);
    await stopCompanion();
    damage();
    await startCompanion();
    expect(listAssistants()).toMatchObject([{ name: 'Tidy Helper', paused: true, restored: true }]);
    expect(await readCode(one)).toBe('ASSISTANT_PAUSED');
    getAssistants().change(one.assistantId, { paused: false });
    expect(await readCode(one)).toBe('accepted');
    // The revoked assistant does not come back with a backup, either.
    await stopCompanion();
    copyFileSync(copied, getDatabasePath());
    await startCompanion();
    expect(await readCode(gone)).toBe('UNAUTHORIZED');
    expect(listAssistants()).toMatchObject([{ name: 'Tidy Helper', restored: true }]);
  });

  test('the companion does not start if the access log is a folder or a device', async () => {
    const one = await pairWithId('Tidy Helper');
    for (const put of [
      () => mkdirSync(getAccessLogPath(world.dataDir)),
      () => symlinkSync('/dev/null', getAccessLogPath(world.dataDir)),
    ]) {
      await stopCompanion();
      rmSync(getAccessLogPath(world.dataDir), { recursive: true });
      put();
      await expect(startCompanion()).rejects.toMatchObject({
        code: 'ACCESS_FILE_UNREADABLE',
        message: expect.stringContaining('assistants-access.log') as string,
      });
    }
    rmSync(getAccessLogPath(world.dataDir));
    await startCompanion();
    expect(await readCode(one)).toBe('ASSISTANT_PAUSED');
  });

  test('every assistant must pair again if a backup is restored without the access log', async () => {
    const one = await pairWithId('Tidy Helper');
    const gone = await pairWithId('Gone Helper');
    await createBackup();
    getAssistants().revoke(gone.assistantId);
    await world.companion().backups.restore('newest');
    await stopCompanion();
    rmSync(getAccessLogPath(world.dataDir));
    restoreRequestedBackup(world.dataDir, null, world.clock.now());
    await startCompanion();
    expect([await readCode(one), await readCode(gone)]).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
  });

  test('the access log is rewritten completely if it is deleted while the companion runs', async () => {
    const gone = await pairWithId('Gone Helper');
    const copied = await createBackup();
    getAssistants().revoke(gone.assistantId);
    rmSync(getAccessLogPath(world.dataDir));
    const other = await pairWithId('Other Helper');
    await stopCompanion();
    await startCompanion();
    expect(await readCode(other)).toBe('accepted');
    await stopCompanion();
    copyFileSync(copied, getDatabasePath());
    await startCompanion();
    expect(await readCode(gone)).toBe('UNAUTHORIZED');
    expect((await readdir(world.dataDir)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

test('a page is no longer offered once the requesting assistant is revoked or paused', async () => {
  const [one, other] = [await pairWithId('Tidy Helper'), await pairWithId('Other Helper')];
  for (const by of [one, other]) await callAs(by, '/market/auth-url');
  getAssistants().change(one.assistantId, { paused: true });
  getAssistants().revoke(other.assistantId);
  expect(world.companion().offers.list()).toEqual([]);
});
