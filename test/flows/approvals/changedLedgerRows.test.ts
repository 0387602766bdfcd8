import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { createLedger, maxRowsInSteps } from '../../../src/core/approvals/ledger/ledger.ts';
import { openSigner } from '../../../src/core/approvals/ledger/signatures.ts';
import { verifyExportedFile } from '../../../src/core/approvals/verify/verifyFile.ts';
import { readExport } from '../../helpers/approvals/readExport.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

type LastRow = { seq: number; hash: string };

const searchHistory = () => world.companion().searchHistory.search({ q: '', limit: 200 });
const getAlarm = () => world.companion().state(null).ledgerAlarm;
const exportHistory = (format: 'jsonl' | 'csv') => readExport(world, ({ exportHistory: write }) => write(format));

/** Changes the stopped companion's database like a program that does not know the signing key. */
const changeDatabase = async (change: (db: Database.Database) => void): Promise<void> => {
  await world.stop();
  const db = new Database(join(world.dataDir, 'companion.db'));
  db.exec('drop trigger ledger_keeps; drop trigger ledger_stays');
  change(db);
  db.close();
  await world.begin();
};

/** Makes the ledger so long that a thread checks it. */
const lengthenLedger = async (): Promise<void> => {
  await world.stop();
  const db = new Database(join(world.dataDir, 'companion.db'));
  const ledger = createLedger(db, openSigner((await world.secrets.get('ledger-key')) ?? '', 'system'));
  db.transaction(() => {
    for (let nth = 0; nth < maxRowsInSteps; nth += 1) ledger.append(nth, 'client.written', { nth, listed: [nth] });
  })();
  await world.secrets.set('ledger-head', JSON.stringify(ledger.end()));
  db.close();
  await world.begin();
};

const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

/** The new value of a column, in SQL. */
const changes = [
  ['facts that are not JSON', `facts = 'not json'`],
  ['facts that are a list', `facts = '[1]'`],
  ['facts that are nested too deep for a parser', `facts = '${deep}'`],
  [
    'facts in which a name comes twice',
    `facts = '{"' || (select key from json_each(facts) limit 1) || '":0,' || substr(facts, 2)`,
  ],
  ['a time that no calendar knows', 'at = 9000000000000000'],
  ['a time above the safe numbers', 'at = 9223372036854775807'],
] as const;

const lengths = ['short', 'long'] as const;
const cases = changes.flatMap(([what, sql]) =>
  lengths.flatMap((length) => (['first', 'last'] as const).map((place) => ({ what, sql, length, place }))),
);

const publishOne = async (length: (typeof lengths)[number]): Promise<void> => {
  world = await startWorld({ keychain: 'system' });
  await world.asked();
  await world.yes();
  if (length === 'long') await lengthenLedger();
};

test.each(cases)('$what in the $place row of a $length ledger: an alarm', async ({ sql, length, place }) => {
  await publishOne(length);
  let row = 1;
  await changeDatabase((db) => {
    if (place === 'last') row = Number(db.prepare('select max(seq) from ledger').pluck().get());
    db.exec(`update ledger set ${sql} where seq = ${row}`);
  });
  await waitUntil(() => getAlarm(), 'the alarm');
  expect(getAlarm()).toMatchObject({ kind: 'changed', row });
  await waitUntil(async () => (await searchHistory()).brokenAt === row, 'the broken row');
  expect(world.logs.join('\n')).not.toContain('unhandled');

  const exported = await exportHistory('jsonl');
  expect(exported.split('\n').length).toBeGreaterThan(row);
  const { whole, findings } = await verifyExportedFile(Buffer.from(exported), null);
  expect([whole, findings.length > 0]).toEqual([false, true]);
  expect((await exportHistory('csv')).split('\r\n').length).toBeGreaterThan(row);
});

test.each(lengths)(
  'a row that another program put before the first row of a %s ledger raises an alarm',
  async (length) => {
    await publishOne(length);
    await changeDatabase((db) =>
      db.exec('insert into ledger select 0, at, kind, facts, previous, hash, signature from ledger where seq = 3'),
    );
    await waitUntil(() => getAlarm(), 'the alarm');
    expect(getAlarm()).toMatchObject({ kind: 'changed', row: 1 });
    const { whole } = await verifyExportedFile(Buffer.from(await exportHistory('jsonl')), null);
    expect(whole).toBe(false);
  },
);

test('the receipt of an approval contains a changed row that names it, and the verification finds the row', async () => {
  world = await startWorld({ keychain: 'system' });
  const { approvalId } = await world.asked();
  await world.yes();
  await changeDatabase((db) =>
    db.exec(`update ledger set facts = facts || ' ' where kind = 'approval.approve';
      update ledger set facts = 'not ' || facts where kind = 'approval.answer'`),
  );
  const receipt = world.companion().receipts.exportReceipt(approvalId).text;
  const { whole, findings } = await verifyExportedFile(Buffer.from(receipt), null);
  expect([whole, findings.length]).toEqual([false, 2]);
});

const forgedAlarm = (row: number): string =>
  JSON.stringify({ alarm: 'changed', rows: 9, keptRows: null, keptHash: null, row, copy: null });

/** Each hides a change behind rows that the companion did not write. `seq` is the number of the last row. */
const coverUps: readonly [what: string, expected: object, sql: (seq: number, hash: string) => string][] = [
  [
    'an acknowledgement of cut rows with the signature of another row',
    { kind: 'cut' },
    (seq, hash) => `insert into ledger select -9007199254740991, at, 'ledger.acknowledged',
      '${JSON.stringify({ alarm: 'cut', rows: 5, keptRows: seq, keptHash: hash, row: null, copy: null })}',
      previous, hash, signature from ledger where seq = 3; delete from ledger where seq > ${seq - 4}`,
  ],
  [
    'an alarm and an acknowledgement of the change itself',
    { kind: 'changed', row: 3 },
    () => `update ledger set kind = 'ledger.alarm', facts = '${forgedAlarm(3)}' where seq = 3;
      update ledger set kind = 'ledger.acknowledged', facts = '${forgedAlarm(3)}' where seq = 4`,
  ],
  [
    'a table that takes any value',
    { kind: 'changed', row: 5 },
    () => `create table free (seq, at, kind, facts, previous, hash, signature);
      insert into free select seq, at, iif(seq = 5, null, kind), facts, previous, hash, signature from ledger;
      drop table ledger; alter table free rename to ledger`,
  ],
  [
    'a row with the greatest number',
    { kind: 'otherKey' },
    () =>
      `insert into ledger select 9223372036854775807, at, kind, facts, previous, hash, null from ledger where seq = 3`,
  ],
  [
    'a trigger that refuses alarms',
    { kind: 'changed', row: 5 },
    () => `update ledger set at = at + 1 where seq = 5; create trigger quiet before insert on ledger
      when new.kind = 'ledger.alarm' begin select raise(abort, 'no'); end`,
  ],
];

test.each(lengths.flatMap((length) => coverUps.map(([what, expected, sql]) => ({ what, expected, sql, length }))))(
  '$what in a $length ledger: the alarm is raised',
  async ({ expected, sql, length }) => {
    await publishOne(length);
    await changeDatabase((db) => {
      const { seq, hash } = db.prepare('select seq, hash from ledger order by seq desc limit 1').get() as LastRow;
      db.exec(sql(seq, hash));
    });
    await waitUntil(() => getAlarm(), 'the alarm');
    expect(getAlarm()).toMatchObject(expected);
    expect(world.logs.join('\n')).not.toContain('unhandled');
  },
);

test.each(lengths)(
  'a row that is changed while the companion runs: a view of a %s history raises the alarm',
  async (length) => {
    await publishOne(length);
    await waitUntil(async () => (await searchHistory()).rows.length > 5, 'the history');
    const db = new Database(join(world.dataDir, 'companion.db'));
    db.exec('drop trigger ledger_keeps; update ledger set at = at + 1 where seq = 5');
    db.close();
    await searchHistory();
    await waitUntil(() => getAlarm(), 'the alarm');
    expect(getAlarm()).toMatchObject({ kind: 'changed', row: 5 });
  },
);

test('of two findings, the second waits until the person acknowledges the first, and each comes once', async () => {
  await publishOne('short');
  await changeDatabase((db) =>
    db.exec(`update ledger set at = at + 1 where seq = 3;
      delete from ledger where seq > (select max(seq) from ledger) - 2`),
  );
  await waitUntil(async () => (await searchHistory()).brokenAt === 3, 'the broken row');
  expect(getAlarm()).toMatchObject({ kind: 'cut' });
  world.companion().acknowledgeLedger();
  expect(getAlarm()).toMatchObject({ kind: 'changed', row: 3 });
  await world.stop();
  await world.begin();
  expect(getAlarm()).toMatchObject({ kind: 'changed', row: 3 });
  world.companion().acknowledgeLedger();
  await world.stop();
  await world.begin();
  await waitUntil(async () => (await searchHistory()).brokenAt === 3, 'the broken row');
  expect(getAlarm()).toBeNull();
});

test('nothing is asked or sent without its row, if a trigger keeps rows out', async () => {
  await publishOne('short');
  await changeDatabase((db) =>
    db.exec(
      `create trigger hush before insert on ledger when new.kind like 'approval.%' begin select raise(ignore); end`,
    ),
  );
  await expect(world.asked()).rejects.toThrow('The ledger did not store the row.');
  expect(world.companion().approvals.listPending()).toEqual([]);
});
