import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { Fake } from './fakeCompanion.ts';
import { publishApproval } from './fakeApprovals.ts';

type Input = { params?: { listingId?: string }; body?: Record<string, unknown> };

/** Live at the marketplace; where the scenario wants it, live or sold on the other channel too, with a price of its own. */
const statesOf = (fake: Fake, listingId: string) => {
  const listing = fake.listings[listingId] ?? {};
  const market = { channelId: 'market', status: listing['status'], url: listing['marketListingUrl'] };
  const corner = {
    channelId: 'corner',
    name: 'Corner shop',
    status: window.scenario?.onCorner === 'sold' ? 'sold' : 'published',
    title: listing['title'],
    price: 6_400,
    quantity: 1,
  };
  return window.scenario?.onCorner ? [market, corner] : [market];
};

/** What the service answers about the channels of a listing, and about its place in the lists. */
export const channelAnswers: Record<string, (fake: Fake, input: Input) => unknown> = {
  readListingChannels: (fake, { params }) => ({ channels: statesOf(fake, params?.listingId ?? '') }),
  setListingVisibility: (fake, { params, body }) => {
    const id = params?.listingId ?? '';
    fake.listings[id] = { ...fake.listings[id], visible: body?.['visible'] };
    return {};
  },
};

const ask =
  (route: ApprovalView['route'], act: string, yes: string) =>
  (_fake: Fake, { body }: Input): ApprovalView => {
    const base = publishApproval({ by: { kind: 'person' }, reason: null, approvalId: `apr_${route}`, route });
    const prompt = { ...base.prompt, act, yes, money: null, consequence: '', facts: [], undo: '', says: {} };
    return { ...base, body: body ?? {}, prompt };
  };

/** The questions about them. */
export const channelAsks = {
  publishChannels: ask('publishChannels', 'Publish on “Corner shop”', 'Publish, fee unknown'),
  reviseChannels: ask('reviseChannels', 'Change the listing on “Corner shop”', 'Change it live'),
  endChannels: ask('endChannels', 'End the listing on “Corner shop”', 'End it there'),
  deleteFromChannels: ask('deleteFromChannels', 'Remove the listing from “Corner shop”', 'Remove it'),
};
