import { expect, test } from 'vitest';
import { respellFolders } from '../../../../src/core/assistants/respellFolders.ts';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { createAssistantsTable } from '../../../../src/core/storage/tables/assistantsTable.ts';
import { createSettingsTable } from '../../../../src/core/storage/tables/settingsTable.ts';

/** A case-insensitive disk with one folder. */
const spellAsOnDisk = (folder: string): string => (folder.toLowerCase() === 'c:\\fotos' ? 'C:\\Fotos' : folder);

const storeFolders = (...folders: string[]) => {
  const db = openMigratedDatabase(':memory:');
  const table = createAssistantsTable(db);
  table.add({ assistant_id: 'a', name: 'A', token_sha256: 'x', paired_at: 1, account: null, stamp: 'mark' });
  table.respell('a', folders);
  return { db, table, settings: createSettingsTable(db) };
};

test('a folder stored with other capital letters gets the spelling used on the disk', () => {
  const { db, table, settings } = storeFolders('c:\\FOTOS', 'D:\\gone', 'C:\\Fotos');
  const [before] = table.all();
  respellFolders(db, settings, spellAsOnDisk);
  expect(table.all()).toEqual([{ ...before, folders: ['C:\\Fotos', 'D:\\gone'] }]);
  db.close();
});

test('a network share is not accessed when folders are respelled', () => {
  const shares = ['\\\\nas\\FOTOS', '//nas/fotos'];
  const { db, table, settings } = storeFolders(...shares);
  respellFolders(db, settings, () => {
    throw new Error('The share was accessed.');
  });
  expect(table.all()[0]?.folders).toEqual(shares);
  db.close();
});

test('stored folders are respelled only once', () => {
  const { db, table, settings } = storeFolders('D:\\mine');
  respellFolders(db, settings, spellAsOnDisk);
  table.respell('a', ['c:\\FOTOS']);
  respellFolders(db, settings, spellAsOnDisk);
  expect(table.all()[0]?.folders).toEqual(['c:\\FOTOS']);
  db.close();
});
