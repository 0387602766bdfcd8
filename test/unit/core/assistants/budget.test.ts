import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStoredAgeTracker } from '../../../../src/core/base/storedAges.ts';
import { createBoundSubject } from '../../../../src/core/approvals/subject.ts';
import { createAssistantBudget } from '../../../../src/core/assistants/scope.ts';
import { openMigratedDatabase, type Db } from '../../../../src/core/storage/database.ts';
import type { ApprovalEvent, PromptMoney } from '../../../../src/core/storage/tables/approvalRecord.ts';
import { createApprovalsTable, type ApprovalsTable } from '../../../../src/core/storage/tables/approvalsTable.ts';
import { createTestClock, type TestClock } from '../../../helpers/testClock.ts';

const by = { kind: 'assistant', assistantId: 'as_1', name: 'Garage Lister' } as const;
const account = 'practice#u1';
const createFee = (totalMinor: number, currency = 'USD'): PromptMoney => ({
  ...{ state: 'fee', currency, totalMinor, lines: [], reason: null, quotedAt: 0 },
});
const unknownFee: PromptMoney = { ...createFee(0), state: 'unavailable', currency: null, totalMinor: null };

let db: Db;
let table: ApprovalsTable;
let clock: TestClock;
beforeEach(() => {
  db = openMigratedDatabase(':memory:');
  table = createApprovalsTable(db);
  clock = createTestClock(new Date(2026, 2, 1, 12).getTime());
});
afterEach(() => db.close());

/** Stores an approval for a publish and applies these events. */
const storeApproval = (
  events: readonly ApprovalEvent[],
  changes: { account?: string; askerId?: string; money?: PromptMoney } = {},
) => {
  const approvalId = `ap_${Math.random()}`;
  const own = { account, askerId: by.assistantId, money: createFee(35), ...changes };
  const asked = { route: 'publishListing' as const, input: { params: { listingId: 'li_1' } }, key: '' };
  const times = { askedAt: clock.now(), shownAt: clock.now(), expiresAt: clock.now() + 60_000 };
  const prompt = {
    ...{
      act: 'Publish',
      consequence: '',
      target: null,
      facts: [],
      changes: [],
      feeNotice: null,
      mainFact: null,
      undo: '',
      final: false,
    },
    ...{ yes: 'Publish', money: own.money },
  };
  const ids = { account: own.account, askerId: own.askerId };
  table.add({
    ...{
      approvalId,
      asker: by,
      route: asked.route,
      reason: null,
      sinceShown: [],
      batchId: null,
      placeSeq: null,
      askedSeq: null,
      isCorrection: false,
      addedItemId: null,
      prompt,
    },
    ...{ requestDigest: `request of ${approvalId}`, digest: `digest of ${approvalId}`, ...times, ...ids },
    subject: createBoundSubject({ ...asked, ...ids }, {}),
  });
  for (const event of events) expect(table.move(approvalId, event, { at: clock.now() })).toBe(true);
  return approvalId;
};
const usedNow = () => createAssistantBudget(table, createStoredAgeTracker(clock), () => account).used(by.assistantId);
const counted = { publishes: 1, moneyCents: 35 };
const nothing = { publishes: 0, moneyCents: 0 };

describe('the daily usage of an assistant', () => {
  test.each<[string, ApprovalEvent[]]>([
    ['is pending', []],
    ['is approved', ['approve']],
    ['is being sent', ['approve', 'send']],
    ['is published', ['approve', 'send', 'answer']],
    ['has an unknown outcome', ['approve', 'send', 'interrupt']],
  ])('includes a publish that %s', (_state, events) => {
    storeApproval(events);
    expect(usedNow()).toEqual(counted);
  });

  test.each<[string, ApprovalEvent[]]>([
    ['was declined', ['decline']],
    ['has expired', ['expire']],
    ['was withdrawn', ['withdraw']],
    ['was superseded', ['replace']],
    ['was refused by the service', ['approve', 'send', 'refuse']],
    ['did not take place according to a later read', ['approve', 'send', 'interrupt', 'refute']],
  ])('does not include a publish that %s', (_state, events) => {
    storeApproval(events);
    expect(usedNow()).toEqual(nothing);
  });

  test('includes a publish that has been pending since yesterday', () => {
    clock.jumpWall(-24 * 60 * 60_000);
    storeApproval([]);
    clock.jumpWall(24 * 60 * 60_000);
    expect(usedNow()).toEqual(counted);
  });

  test('does not include publishes by another assistant, for another account or from yesterday', () => {
    storeApproval(['approve', 'send', 'answer'], { askerId: 'as_2' });
    storeApproval(['approve', 'send', 'answer'], { account: 'practice#u2' });
    clock.jumpWall(-24 * 60 * 60_000);
    storeApproval(['approve', 'send', 'answer']);
    clock.jumpWall(24 * 60 * 60_000);
    expect(usedNow()).toEqual(nothing);
  });
});

describe('a daily budget', () => {
  const limits = (changes: { publishesPerDay?: number; moneyCentsPerDay?: number }) => () => ({
    ...{
      shelf: false,
      scope: 'ask' as const,
      touches: 'all' as const,
      folders: [],
      publishesPerDay: null,
      moneyCentsPerDay: null,
      ...changes,
    },
  });
  const check = (
    changes: Parameters<typeof limits>[0],
    money: PromptMoney | null,
    { except, route = 'publishListing' }: { except?: string; route?: 'publishListing' | 'approveExtras' } = {},
  ) =>
    createAssistantBudget(table, createStoredAgeTracker(clock), () => account).check(limits(changes), by, {
      route,
      money,
      except: except === undefined ? [] : [except],
    });
  const spent = expect.objectContaining({ code: 'BUDGET_SPENT' }) as Error;

  test('for publishes allows exactly the given number and does not limit other acts', () => {
    storeApproval([]);
    expect(() => check({ publishesPerDay: 2 }, null)).not.toThrow();
    expect(() => check({ publishesPerDay: 1 }, null)).toThrow(spent);
    expect(() => check({ publishesPerDay: 1 }, null, { route: 'approveExtras' })).not.toThrow();
  });

  test('for money allows exactly the given amount and refuses unknown fees', () => {
    storeApproval([]);
    expect(() => check({ moneyCentsPerDay: 70 }, createFee(35))).not.toThrow();
    expect(() => check({ moneyCentsPerDay: 69 }, createFee(35))).toThrow(spent);
    expect(() => check({ moneyCentsPerDay: 1 }, { ...createFee(0), state: 'free' })).not.toThrow();
    expect(() => check({ moneyCentsPerDay: 1_000 }, unknownFee)).toThrow(spent);
  });

  test('does not include an approval that is being superseded', () => {
    const replaced = storeApproval([]);
    expect(() =>
      check({ publishesPerDay: 1, moneyCentsPerDay: 35 }, createFee(35), { except: replaced }),
    ).not.toThrow();
  });
});
