import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { createSettingsTable } from '../../../../src/core/storage/tables/settingsTable.ts';

const folder = mkdtempSync(join(tmpdir(), 'companion-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('consecutive changes of different notification settings are all saved', () => {
  const db = openMigratedDatabase(join(folder, 'companion.db'));
  const table = createSettingsTable(db);
  table.change({ notify: { sales: false } });
  table.change({ theme: 'dark' });
  table.change({ notify: { written: false } });
  expect(table.settings()).toMatchObject({
    theme: 'dark',
    notify: { approvals: true, written: false, sales: false, connection: true },
  });
  db.close();
});
