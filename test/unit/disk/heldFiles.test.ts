import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStoredAgeTracker } from '../../../src/core/base/storedAges.ts';
import { getAccessLogPath, openAccessLog } from '../../../src/core/storage/accessLog.ts';
import { listBackupFiles } from '../../../src/core/storage/backupFiles.ts';
import { copyDatabase, createBackupNow, createDailyBackupService } from '../../../src/core/storage/backups.ts';
import { openMigratedDatabase } from '../../../src/core/storage/database.ts';
import { createOutboundPolicy } from '../../../src/core/service/outboundPolicy.ts';
import { createBoundPhotos } from '../../../src/core/photos/boundPhotos.ts';
import { createPhotoIntake } from '../../../src/core/photos/photoIntake.ts';
import {
  findPreparedPhoto,
  storePreparedPhoto,
  getPreparedPaths,
  hashSha256,
} from '../../../src/core/photos/preparedPhotos.ts';
import { noEdits } from '../../../src/photoContract/constants.ts';
import { getCopyPath, readSettingsFile, replaceSettingsFile } from '../../../src/host/clients/settingsFile.ts';
import { openPracticeListener } from '../../../src/host/practice/practiceListener.ts';
import { createWindowStateStore } from '../../../src/main/window/windowState.ts';
import { createFailingDisk, createHeldDisk, createSystemError } from '../../helpers/createFailingDisk.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { createTestClock } from '../../helpers/testClock.ts';

// Each test calls a function that renames or removes a file while another program blocks that file for some attempts.

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'held-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const noLog = (): void => undefined;
/** A virus scanner blocks a file for fewer attempts, and two seconds allow more. */
const createBlockedDisk = () => createHeldDisk(6, 'EPERM');

test('an uploaded photo is stored and removed although another program briefly blocks the file', async () => {
  const intake = createPhotoIntake(dir, createBlockedDisk());
  const { uploadId } = await intake.receive(Readable.from([Buffer.from('photo')]));
  const file = await intake.take(uploadId);
  expect(readFileSync(file, 'utf8')).toBe('photo');
  await intake.drop(file);
  expect(readdirSync(dir)).toEqual([]);
});

test('a failed upload reports its cause, even if the partial file cannot be removed', async () => {
  const intake = createPhotoIntake(
    dir,
    createFailingDisk((call) => createSystemError(call === 'rename' ? 'ENOSPC' : 'EPERM')),
  );
  const receiving = intake.receive(Readable.from([Buffer.from('photo')]));
  await expect(receiving).rejects.toMatchObject({ code: 'DISK_FULL' });
});

test('a prepared photo is saved although another program briefly blocks the file', async () => {
  const place = getPreparedPaths(dir, hashSha256('original'), { longEdgePx: 100, format: 'jpeg', edits: noEdits });
  const files = { photo: Buffer.from('photo'), thumb: Buffer.from('thumb') };
  const facts = {
    ...{
      width: 1,
      height: 1,
      hash64: '0'.repeat(16),
      colours: '0'.repeat(128),
      palette: '0'.repeat(10),
      warnings: [],
      sheet: false,
      barcodes: [],
      labelTexts: [],
    },
    looks: { sharpness: 1, exposure: 1 },
    original: { format: 'jpeg', width: 1, height: 1, sha256: hashSha256('original') },
  };
  await storePreparedPhoto(place, files, facts, createBlockedDisk());
  expect(await findPreparedPhoto(place)).toMatchObject({ ok: true, path: place.photo });
});

test('a photo bound to an approval is saved although another program briefly blocks the file', async () => {
  const photo = await drawnPhoto(1);
  const server = createServer((_request, response) => response.end(photo)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const db = openMigratedDatabase(join(dir, 'test.db'));
  const kept = join(dir, 'bound-photos');
  const clock = createTestClock();
  const parts = {
    account: () => 'ann',
    outside: createOutboundPolicy(() => url),
    clock,
    ages: createStoredAgeTracker(clock),
    log: noLog,
    disk: createBlockedDisk(),
  };
  const photos = createBoundPhotos({ db, dir: kept, ...parts });
  const [read] = await photos.read({ listingId: 'l', status: 'draft', imageUrls: [`${url}/a.jpg`] });
  expect(readdirSync(kept)).toEqual([read?.sha256]);
  db.close();
  server.close();
});

test('client settings are replaced and removed although another program briefly blocks the file', async () => {
  const file = join(dir, 'settings.json');
  writeFileSync(file, '{"old":1}');
  const disk = createBlockedDisk();
  await replaceSettingsFile(
    await readSettingsFile(file, dir),
    { text: '{"new":1}', copy: { write: '{"old":1}' } },
    disk,
  );
  expect([readFileSync(file, 'utf8'), readFileSync(getCopyPath(file), 'utf8')]).toEqual(['{"new":1}', '{"old":1}']);
  await replaceSettingsFile(await readSettingsFile(file, dir), { text: null, copy: 'remove' }, disk);
  expect(readdirSync(dir)).toEqual([]);
});

test('the access log is written and set aside although another program briefly blocks the file', () => {
  const open = () =>
    openAccessLog({
      dataDir: dir,
      log: noLog,
      now: () => 7,
      assistants: [],
      isRestoredDatabase: false,
      disk: createBlockedDisk(),
    });
  const first = open();
  first.end('a');
  expect(open().isGone('a')).toBe(true);
  writeFileSync(getAccessLogPath(dir), 'nonsense\n');
  open();
  expect(existsSync(`${getAccessLogPath(dir)}.damaged-7`)).toBe(true);
});

test('database backups are created and removed although another program briefly blocks the files', async () => {
  const db = openMigratedDatabase(join(dir, 'companion.db'));
  const backupsDir = join(dir, 'backups');
  for (let day = 0; day < 8; day += 1) createBackupNow(db, backupsDir, day * 86_400_000, { disk: createBlockedDisk() });
  expect(listBackupFiles(backupsDir)).toHaveLength(7);
  const clock = createTestClock();
  const backups = createDailyBackupService({
    copyDatabase: async (file) =>
      (await copyDatabase(db, file, { onProgress: noLog, pause: noLog })) ? 'done' : 'damaged',
    clock,
    ages: createStoredAgeTracker(clock),
    log: noLog,
    changed: noLog,
    backupsDir,
    disk: createBlockedDisk(),
  });
  expect(await backups.make()).not.toBeNull();
  db.close();
});

test('the window state is saved although another program briefly blocks the file', () => {
  const path = join(dir, 'window.json');
  createWindowStateStore(path, createBlockedDisk()).change({ zoom: 2 });
  expect(createWindowStateStore(path).now().zoom).toBe(2);
});

test('the practice service starts even if its port cannot be saved', async () => {
  const open = () => Promise.reject(new Error('Nothing is opened here.'));
  const start = (disk = createBlockedDisk()) => openPracticeListener({ dataDir: dir, open, log: noLog, disk });
  const first = await start();
  expect(first.url).toMatch(readFileSync(join(dir, 'port'), 'utf8'));
  await first.part.stop();
  rmSync(join(dir, 'port'));
  const second = await start(createFailingDisk((call) => (call === 'rename' ? createSystemError('EPERM') : null)));
  expect(existsSync(join(dir, 'port'))).toBe(false);
  await second.part.stop();
  expect(statSync(dir).isDirectory()).toBe(true);
});
