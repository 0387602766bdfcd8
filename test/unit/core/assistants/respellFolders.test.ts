import { expect, test } from 'vitest';
import { respellFolders } from '../../../../src/core/assistants/respellFolders.ts';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { createAssistantsTable } from '../../../../src/core/storage/tables/assistantsTable.ts';
import { createSettingsTable } from '../../../../src/core/storage/tables/settingsTable.ts';

/** A disk that does not tell cases apart: it has one folder. */
const onDisk = (folder: string): string => (folder.toLowerCase() === 'c:\\fotos' ? 'C:\\Fotos' : folder);

const stored = (...folders: string[]) => {
  const db = openMigratedDatabase(':memory:');
  const table = createAssistantsTable(db);
  table.add({ assistant_id: 'a', name: 'A', token_sha256: 'x', paired_at: 1, account: null, stamp: 'mark' });
  table.respell('a', folders);
  return { db, table, settings: createSettingsTable(db) };
};

test('a folder stored in different case takes its spelling from the disk and is listed only once', () => {
  const { db, table, settings } = stored('c:\\FOTOS', 'D:\\gone', 'C:\\Fotos');
  const [before] = table.all();
  respellFolders(db, settings, onDisk);
  expect(table.all()).toEqual([{ ...before, folders: ['C:\\Fotos', 'D:\\gone'] }]);
  db.close();
});

test('respelling folders does not touch a network share', () => {
  const shares = ['\\\\nas\\FOTOS', '//nas/fotos'];
  const { db, table, settings } = stored(...shares);
  respellFolders(db, settings, () => {
    throw new Error('The share was looked at.');
  });
  expect(table.all()[0]?.folders).toEqual(shares);
  db.close();
});

test('folders are respelled only once, so a folder allowed later keeps its spelling', () => {
  const { db, table, settings } = stored('D:\\mine');
  respellFolders(db, settings, onDisk);
  table.respell('a', ['c:\\FOTOS']);
  respellFolders(db, settings, onDisk);
  expect(table.all()[0]?.folders).toEqual(['c:\\FOTOS']);
  db.close();
});
