import { expect, test } from 'vitest';
import { listing } from '../../../../src/contract/index.ts';
import { listingPrompts } from '../../../../src/core/approvals/prompts/listings.ts';
import { noIdNames } from '../../../../src/core/approvals/prompts/ids.ts';
import { core } from '../../../../src/i18n/english.ts';
import { createMessage } from '../../../../src/i18n/message.ts';

/** Renders the fee notice prompt for a listing on this site; null means that no site is named. */
const renderFeeNoticePrompt = (marketplaceId: string | null) => {
  const input = {
    params: { listingId: 'l_1' },
    query: undefined,
    headers: undefined,
    body: { action: 'confirm' as const },
  };
  const subject = {
    ...{ version: 2 as const, request: { route: 'quoteFees' as const, input }, first: [] },
    ...{ asker: 'a_1', account: 'practice#u1', key: 'k_1' },
    ...{ listing: null, photos: [], quote: null, feeNotice: null, context: {} },
  };
  const seen = listing.parse({ listingId: 'l_1', status: 'pending_review', marketplaceId });
  return listingPrompts.quoteFees.render({
    input,
    listing: seen,
    subject,
    moment: { readAt: 0, reason: null },
    names: noIdNames,
  });
};

test('the fee notice prompt says "this site" if the listing has no site', () => {
  const site = createMessage('prompts.thisSite');
  expect(renderFeeNoticePrompt(null)).toMatchObject({
    act: createMessage('prompts.agree', { site }),
    consequence: createMessage('prompts.feeNotice', { site }),
  });
  expect(core.prompts.thisSite).toBe('this site');
});

test('the fee notice prompt names the site of the listing', () => {
  expect(renderFeeNoticePrompt('MKT_IT')).toMatchObject({
    act: createMessage('prompts.agree', { site: { key: 'sites.MKT_IT' } }),
  });
});
