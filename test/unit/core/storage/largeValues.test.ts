import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { additionFacts, additionPart } from '../../../../src/core/items/adding/additionParts.ts';
import { migrations } from '../../../../src/core/storage/migrations/index.ts';
import { createAdditionsTable } from '../../../../src/core/storage/tables/additionsTable.ts';
import { createArrangementsTable } from '../../../../src/core/storage/tables/arrangementsTable.ts';
import { applyMigrations } from '../../../helpers/applyMigrations.ts';

/** Creates a database of the version before questions and items of changes got tables of their own. */
const openFormerDatabase = () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  const version = migrations.findIndex((sql) => sql.includes('repeated photos'));
  applyMigrations(db, version);
  return {
    db,
    migrate: (): void => {
      for (const sql of migrations.slice(version)) db.exec(sql);
    },
  };
};

test('open questions about repeated photos outlive the update', async () => {
  const { db, migrate } = openFormerDatabase();
  const photos = ['/in/1.jpg', '/in/2.jpg'].map((source) => ({ name: 'IMG.jpg', source, root: null, owned: true }));
  const sets = [
    { name: 'red fox', note: '', reviewReason: null, privateParts: [], text: null, photos },
    { name: 'blue coat', note: 'new', reviewReason: 'requested', privateParts: [], text: null, photos: [] },
  ];
  const question = { repeatId: 'r1', account: 'a', count: 2, by: { kind: 'person' }, wishes: { quantity: 3 }, sets };
  db.prepare("insert into settings (name, value) values ('repeated photos', ?)").run(JSON.stringify([question]));
  migrate();
  const additions = createAdditionsTable(db);
  expect(additions.list()).toEqual([]);
  const [waiting] = additions.listWaiting();
  expect(additionFacts.parse(JSON.parse(waiting?.facts ?? ''))).toMatchObject({
    ...{ account: 'a', by: { kind: 'person' }, wishes: { quantity: 3 }, into: null },
    question: { count: 2, added: { items: 2, photos: 2, isGrouped: false } },
  });
  const pieces = additionPart.parse(JSON.parse(additions.readFirstPart('r1')?.content ?? ''));
  expect(pieces).toMatchObject([
    { item: { name: 'red fox' }, photos },
    { item: { name: 'blue coat', note: 'new', reviewReason: 'requested' }, photos: [] },
  ]);
  expect(new Set(pieces.map(({ itemId }) => itemId)).size).toBe(2);
  const copies: string[] = [];
  for await (const source of additions.iterateOwnedSources('r1')) copies.push(source);
  expect(copies).toEqual(['/in/1.jpg', '/in/2.jpg']);
  expect(db.prepare("select count(*) from settings where name = 'repeated photos'").pluck().get()).toBe(0);
});

test('the items of a change that can be undone are known after the update', () => {
  const { db, migrate } = openFormerDatabase();
  const before = JSON.stringify({ items: [{ item_id: 'it_1' }, { item_id: 'it_2' }], photos: [], made: ['it_3'] });
  const add = db.prepare("insert into arrangements (account, label, at, before) values ('a', ?, 7, ?)");
  for (const label of ['merge', 'split']) add.run(label, before);
  migrate();
  const { lastLabel } = createArrangementsTable(db);
  expect(lastLabel('a')).toEqual({ seq: 2, label: 'split', at: 7, itemIds: ['it_1', 'it_2'] });
  expect(lastLabel('b')).toBeNull();
});
