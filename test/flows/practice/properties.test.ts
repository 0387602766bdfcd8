import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { limits } from '../../../src/contract/index.ts';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';
import { traceStates, type JournalRow } from '../../helpers/practice/traceStates.ts';

let practice: TestPractice;
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());

/** Valid, useless and forbidden calls, which assistants make in random order. */
const acts = [
  ...[
    'draft',
    'draft',
    'draft',
    'draft',
    'generate',
    'generate',
    'generate with approval',
    'adapt',
    'edit',
    'delete',
    'revert',
  ],
  ...['publish', 'publish twice', 'publish on channels', 'revise', 'end', 'relist', 'buy', 'buy', 'buy', 'peek'],
  ...[
    'approve extras',
    'approve extras',
    'approve extras',
    'extras off',
    'extras on',
    'next month',
    'an hour',
    'writer fails',
    'writer slow',
    'writer well',
  ],
  ...['writer well', 'writer well', ...Array.from({ length: 14 }, () => 'go on' as const)],
] as const;
type Act = (typeof acts)[number];

const step = fc.record({ act: fc.constantFrom(...acts), who: fc.nat(2), which: fc.nat(5) });

type Member = { userId: string; key: string; credits: number; listings: string[]; approvalId: string | null };
type Move = { by: Member; others: Member[]; listingId: string };

const post = (by: Member, path: string, body: unknown = {}) => practice.call(by.key, 'POST', path, body);
const created = z.looseObject({ listingId: z.string() });
const approved = z.looseObject({ approvalId: z.string() });
const standing = z.looseObject({
  allowance: z.looseObject({
    remaining: z.int(),
    creditBalance: z.int(),
    extras: z.looseObject({ approval: z.looseObject({ remaining: z.int() }).nullable() }),
  }),
});

const readState = async (by: Member, listingId: string): Promise<string> => {
  const { status, body } = await practice.call(by.key, 'GET', `/listings/${listingId}`);
  return status === 404 ? 'gone' : z.looseObject({ status: z.string() }).parse(body).status;
};

const draft = async ({ by }: Move) => {
  by.listings.push(await practice.draft(by.key, 1));
};

const readAsOthers = async ({ others, listingId }: Move) => {
  for (const other of others)
    expect((await practice.call(other.key, 'GET', `/listings/${listingId}`)).status).not.toBe(200);
};

const approve = async ({ by }: Move) => {
  const answer = await post(by, '/subscriptions/extras-approval', { count: 2, rateCents: 60 });
  if (answer.status === 200) by.approvalId = approved.parse(answer.body).approvalId;
};

const generate = (move: Move, body: unknown) => post(move.by, `/listings/${move.listingId}/generate`, body);
const publish = ({ by, listingId }: Move) => post(by, `/market/publish/${listingId}`);
const extras = ({ by }: Move, body: unknown) => practice.call(by.key, 'PATCH', '/subscriptions/overage', body);
const writer = (orders: unknown) => practice.control('POST', '/writer', orders);

/** By listing state: the call that changes it to the next state. */
const nextAct: Record<string, (move: Move) => Promise<unknown>> = {
  draft: (move) => generate(move, {}),
  pending_review: publish,
  published: ({ by, listingId }) => post(by, `/market/end/${listingId}`),
  ended: ({ by, listingId }) => post(by, `/listings/${listingId}/relist`),
  failed: ({ by, listingId }) => post(by, `/listings/${listingId}/revert`),
};

const perform: Record<Act, (move: Move) => Promise<unknown>> = {
  draft,
  'go on': async (move) => nextAct[await readState(move.by, move.listingId)]?.(move),
  generate: (move) => generate(move, {}),
  'generate with approval': (move) => generate(move, { extrasApprovalId: move.by.approvalId ?? 'xa_000000000000' }),
  adapt: (move) => generate(move, { intent: 'adapt_marketplace', targetMarketplaceId: 'MKT_US' }),
  edit: ({ by, listingId }) => practice.call(by.key, 'PUT', `/listings/${listingId}`, { price: 1_500 }),
  delete: ({ by, listingId }) => practice.call(by.key, 'DELETE', `/listings/${listingId}`),
  revert: ({ by, listingId }) => post(by, `/listings/${listingId}/revert`),
  publish,
  'publish twice': (move) => Promise.all([publish(move), publish(move)]),
  'publish on channels': ({ by, listingId }) => post(by, `/listings/${listingId}/channels/publish`),
  revise: ({ by, listingId }) => post(by, `/market/revise/${listingId}`, { price: 1_700 }),
  end: ({ by, listingId }) => post(by, `/market/end/${listingId}`),
  relist: ({ by, listingId }) => post(by, `/listings/${listingId}/relist`),
  buy: ({ listingId }) => practice.call(null, 'POST', '/practice/sales', { listingId }),
  peek: readAsOthers,
  'approve extras': approve,
  'extras off': (move) => extras(move, { enabled: false }),
  'extras on': (move) => extras(move, { enabled: true, acknowledgedRateCents: 60 }),
  'next month': () => practice.advance(31 * 24 * 3_600_000),
  'an hour': () => practice.advance(3_600_000),
  'writer fails': () => writer({ fail: 'IMAGES_UNREADABLE' }),
  'writer slow': () => writer({ delayMs: 1_800_000 }),
  'writer well': () => writer({}),
};

const createMembers = async (): Promise<Member[]> => {
  // Little allowance is left, so that the story uses the plan, credits and extras.
  const free = { plan: 'Free', used: 4, credits: 1 };
  const options = [free, free, { plan: 'Lite', used: 30, extras: true, credits: 0 }];
  const made: Member[] = [];
  for (const option of options) {
    const { userId, agentKey } = await practice.person({ connected: true, ...option });
    const member: Member = { userId, key: agentKey, credits: option.credits, listings: [], approvalId: null };
    await draft({ by: member, others: [], listingId: '' });
    await post(member, `/listings/${member.listings[0]}/channels/fees`, { action: 'confirm' });
    made.push(member);
  }
  return made;
};

const isKind = (kind: string, facts: Record<string, unknown>) => (row: JournalRow) =>
  row.kind === kind && Object.entries(facts).every(([name, value]) => row[name] === value);

/** Checks that each publish and each extra has exactly one charge. */
const checkCharges = (rows: JournalRow[], listingId: string): void => {
  const of = (kind: string, facts: Record<string, unknown>) =>
    rows.filter(isKind(kind, { listingId, ...facts })).length;
  expect(of('charge', { what: 'market_fees' })).toBe(of('publish', { channelId: 'market' }));
  expect(of('charge', { what: 'extra' })).toBe(of('generation', { source: 'extra' }));
};

/** Checks that the allowance matches the use in the journal and is never negative. */
const checkAllowance = async (member: Member, rows: JournalRow[]): Promise<void> => {
  const { allowance } = standing.parse((await practice.call(member.key, 'GET', '/agent/me')).body);
  const own = rows.filter((row) => row['userId'] === member.userId);
  const paid = own.filter(isKind('generation', { source: 'credit' })).length;
  const used = own.filter(isKind('generation', { source: 'extra' })).length;
  const setAside = own.filter((row) => row.kind === 'extras' && typeof row['approvalId'] === 'string').length * 2;
  expect(allowance.remaining).toBeGreaterThanOrEqual(0);
  expect(allowance.creditBalance).toBe(member.credits - paid);
  expect(used).toBeLessThanOrEqual(setAside);
  expect(allowance.extras.approval?.remaining ?? 1).toBeGreaterThan(0);
};

const checkListings = async (all: Member[], rows: JournalRow[]): Promise<void> => {
  const expected = traceStates(rows);
  for (const member of all) {
    const states: Record<string, string> = {};
    for (const listingId of member.listings) states[listingId] = await readState(member, listingId);
    expect(states).toEqual(
      Object.fromEntries(member.listings.map((listingId) => [listingId, expected.get(listingId)])),
    );
    const inWork = Object.values(states).filter((state) => state === 'processing').length;
    expect(inWork).toBeLessThanOrEqual(limits.concurrentGenerations);
    const list = z
      .looseObject({ listings: z.array(created) })
      .parse((await practice.call(member.key, 'GET', '/listings?limit=200')).body);
    const shown = list.listings.map(({ listingId }) => listingId).sort();
    expect(shown).toEqual(member.listings.filter((listingId) => states[listingId] !== 'gone').sort());
    for (const other of all.filter((one) => one !== member))
      for (const listingId of member.listings)
        expect([403, 404]).toContain((await practice.call(other.key, 'GET', `/listings/${listingId}`)).status);
    for (const listingId of member.listings) checkCharges(rows, listingId);
    await checkAllowance(member, rows);
  }
};

/** Lets running generations end, so that the journal matches the state. */
const finishGenerations = async (all: Member[]): Promise<void> => {
  await practice.control('POST', '/writer', {});
  await practice.advance(3_600_000);
  for (const { key, listings } of all)
    for (const listingId of listings) {
      const there = (await practice.call(key, 'GET', `/listings/${listingId}`)).status === 200;
      if (there) await practice.settled(key, listingId);
    }
};

/** Counts journal rows over all stories, to prove that the stories use every kind of call. */
const rowCounts = new Map<string, number>();

const countRows = (rows: JournalRow[]): void => {
  for (const { kind, source } of rows) {
    const name = kind === 'generation' ? `generation from ${String(source)}` : kind;
    rowCounts.set(name, (rowCounts.get(name) ?? 0) + 1);
  }
};

const playStory = async (steps: { act: Act; who: number; which: number }[]): Promise<void> => {
  const since = (await practice.journal()).at(-1)?.seq ?? 0;
  const all = await createMembers();
  for (const { act, who, which } of steps) {
    const by = all[who];
    if (!by) throw new Error('There are three people.');
    const listingId = by.listings[which % by.listings.length] ?? '';
    await perform[act]({ by, others: all.filter((one) => one !== by), listingId });
  }
  await finishGenerations(all);
  const rows: JournalRow[] = await practice.journal(since);
  await checkListings(all, rows);
  countRows(rows);
  expect(practice.reports).toEqual([]);
};

test('no sequence of calls breaks a rule of the service', async () => {
  const story = fc.asyncProperty(fc.array(step, { minLength: 80, maxLength: 100 }), playStory);
  await fc.assert(story, { numRuns: 12, seed: 20_261_121, endOnFailure: true });
  const sources = ['plan', 'credit', 'extra', 'null', 'none'].map((source) => `generation from ${source}`);
  for (const kind of ['publish', 'end', 'relist', 'revert', 'delete', 'sale', 'edit', 'revision', ...sources])
    expect(rowCounts.get(kind) ?? 0, kind).toBeGreaterThan(1);
}, 60_000);
