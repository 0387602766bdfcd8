import { expect, test } from 'vitest';
import { parseTrustedInput, type FeeAnswer } from '../../../../src/contract/index.ts';
import { createQuoteCache } from '../../../../src/core/approvals/prompts/promptReads.ts';
import type { ServiceClient } from '../../../../src/core/service/serviceClient.ts';
import { createTestClock } from '../../../helpers/testClock.ts';

const minuteMs = 60_000;
const asked = parseTrustedInput('quoteFees', { params: { listingId: 'li_1' }, body: { action: 'quote' } });

/** Reads a listing and quotes its fee. `state` sets what the service answers. */
const startQuotes = async () => {
  const clock = createTestClock();
  const state = {
    account: 'one',
    price: 1_200,
    quote: { quote: { state: 'fee', currency: 'USD', totalMinor: 35 } } as FeeAnswer,
  };
  const service = {
    send: async (route: string) => {
      const answer =
        route === 'readListing' ? { listingId: 'li_1', status: 'pending_review', price: state.price } : state.quote;
      return { status: 200, headers: {}, answer };
    },
  } as ServiceClient;
  const quotes = createQuoteCache(service, clock, () => state.account);
  const read = () =>
    quotes.client.send('readListing', parseTrustedInput('readListing', { params: { listingId: 'li_1' } }));
  const quote = () => quotes.client.send('quoteFees', asked);
  await read();
  await quote();
  const shownTotal = (maxMs?: number) => quotes.findReusableQuote(asked, maxMs)?.answer.quote?.totalMinor ?? null;
  return { clock, state, quotes, read, quote, shownTotal };
};

test('a fee quote is reused for ten minutes and then expires', async () => {
  const { clock, shownTotal } = await startQuotes();
  clock.suspend(10 * minuteMs - 1);
  expect(shownTotal()).toBe(35);
  clock.suspend(1);
  expect(shownTotal()).toBeNull();
});

test('a fee quote older than the caller’s maximum age is not reused', async () => {
  const { clock, shownTotal } = await startQuotes();
  clock.suspend(5_000);
  expect([shownTotal(5_000), shownTotal()]).toEqual([null, 35]);
});

test('setting the clock back does not make a fee quote last longer', async () => {
  const { clock, shownTotal } = await startQuotes();
  clock.jumpWall(-60 * minuteMs);
  clock.suspend(10 * minuteMs);
  expect(shownTotal()).toBeNull();
});

test('a fee quote is not reused after the listing changes', async () => {
  const { state, read, shownTotal } = await startQuotes();
  state.price = 9_900;
  await read();
  expect(shownTotal()).toBeNull();
});

test('a fee quote of one account is not reused for another account', async () => {
  const { state, shownTotal } = await startQuotes();
  state.account = 'two';
  expect(shownTotal()).toBeNull();
});

test('an unavailable fee quote is not reused but replaced by the next fee quote', async () => {
  const { state, quotes, read, quote, shownTotal } = await startQuotes();
  state.account = 'two';
  state.quote = { quote: { state: 'unavailable' } };
  await read();
  await quote();
  expect(quotes.findReusableQuote(asked)).toBeNull();
  state.quote = { quote: { state: 'free', totalMinor: 0 } };
  await quote();
  expect(shownTotal()).toBe(0);
});
