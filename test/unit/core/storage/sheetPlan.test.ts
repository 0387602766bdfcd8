import { expect, onTestFinished, test } from 'vitest';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { createItemsTable } from '../../../../src/core/storage/tables/itemsTable.ts';
import { listQuerySteps, watchPreparedSql } from '../../../helpers/queryPlans.ts';

const slot = {
  uploadUrl: 'https://storage.example/1',
  key: 'key',
  publicUrl: 'https://photos.example/1',
  imageId: 'image',
};

const openItems = () => {
  const db = openMigratedDatabase(':memory:');
  onTestFinished(() => void db.close());
  const prepared = watchPreparedSql(db);
  const table = createItemsTable(db);
  const addItem = (itemId: string, photoIds: readonly string[]): void => {
    const item = { item_id: itemId, account: 'a', name: itemId, by: { kind: 'person' as const } };
    const photos = photoIds.map((photoId) => ({
      photoId,
      name: `${photoId}.jpg`,
      source: `/${photoId}`,
      root: '/',
      owned: false,
    }));
    table.add({ ...item, idempotency_key: itemId, step: 'arranging', created_at: 0 }, photos);
  };
  return { db, prepared, table, addItem };
};

test('the contact sheet reads its photos from an index without their rows', () => {
  const { db, prepared } = openItems();
  const sql = prepared.filter((text) => text.includes('json_group_array(photo_id)'));
  expect(sql).toHaveLength(1);
  const steps = listQuerySteps(db, sql[0] ?? '', ['[]']);
  expect(steps).toContain('SEARCH photos USING COVERING INDEX photos_on_sheet (item_id=?)');
  expect(steps.filter((step) => /photos/.test(step) && !/COVERING|photos_at_service/.test(step))).toEqual([]);
});

test('the contact sheet leaves out an item as soon as one of its photos has an upload slot or is uploaded', () => {
  const { table, addItem } = openItems();
  const ids = ['it_new', 'it_slot', 'it_uploaded', 'it_removed'];
  for (const itemId of ids) addItem(itemId, [`${itemId}_1`, `${itemId}_2`]);
  const listIds = () => table.sheetItems(ids).map(({ item_id, photo_ids }) => [item_id, photo_ids.length]);
  expect(listIds().toSorted()).toEqual(ids.map((itemId) => [itemId, 2]).toSorted());
  table.notePhoto('it_slot_2', { slot, slot_at: 1 });
  table.notePhoto('it_uploaded_1', { uploaded_at: 1 });
  table.changePhoto('it_removed_1', { removed_at: 1 });
  expect(listIds().toSorted()).toEqual([
    ['it_new', 2],
    ['it_removed', 1],
  ]);
});
