import { calls, type CallName } from '../../../src/ipc/calls.ts';
import type { CoreReply, CoreRequest, PageData } from './coreCalls.ts';
import type { Answers, Fake } from './fakeCompanion.ts';
import { refuseCall } from './fakeRefusal.ts';
import { toListingFields } from './listingFields.ts';
import type { PageListing } from './practiceCalls.ts';

const page = crypto.randomUUID();

let sentRows: Fake['rows'] | null = null;

const collectPageData = (fake: Fake, listing: PageListing | null): PageData => ({
  person: fake.person,
  listing,
  items: fake.items,
  listings: fake.items.flatMap(({ listingId, title }) =>
    listingId === null ? [] : [{ status: 'pending_review', title, ...fake.listings[listingId], listingId }],
  ),
  rows:
    sentRows === fake.rows
      ? null
      : JSON.stringify(
          fake.rows.map((row) => {
            const { listingId, status, title, priceCents: price, listedAt, isMissing } = row;
            const kept = { ...toListingFields(row), ...fake.listings[listingId] };
            return { ...kept, listingId, status, title, price, listedAt, isMissing: isMissing ? 1 : 0 };
          }),
        ),
});

let turn: Promise<unknown> = Promise.resolve();

/**
 * Lets the core in the server's process answer a call with the fake's current data. Calls run one at a time, in order.
 */
export const askCore = (
  fake: Fake,
  name: CallName,
  input: unknown,
  listing: PageListing | null = null,
): Promise<unknown> => {
  const answered = turn.then(async () => {
    const request: CoreRequest = { page, name, input, data: collectPageData(fake, listing) };
    sentRows = fake.rows;
    const response = await fetch('/core', { method: 'POST', body: JSON.stringify(request) });
    const { reply, items } = (await response.json()) as CoreReply;
    if (items) {
      fake.items = items;
      fake.changed('items');
    }
    if (/^shelf\.(change|markSent|number|undo)$/.test(name))
      for (const topic of ['items', 'listings'] as const) fake.changed(topic);
    return reply.ok ? reply.value : refuseCall(reply.problem.code, reply.problem.sentence, reply.problem);
  });
  turn = answered.catch(() => undefined);
  return answered;
};

type CoreCall = Extract<
  CallName,
  `${'items' | 'listings' | 'listingPhotos' | 'photos' | 'shelf'}.${string}` | 'clients.snippets'
>;

/** Returns the calls that the core answers. */
export const createCoreAnswers = (fake: Fake): Pick<Answers, CoreCall> =>
  Object.fromEntries(
    Object.keys(calls)
      .filter((name): name is CoreCall => /^(items|listings|listingPhotos|photos|shelf|clients\.snippets)\b/.test(name))
      .map((name) => [name, (input: unknown) => askCore(fake, name, input)]),
  ) as Pick<Answers, CoreCall>;
