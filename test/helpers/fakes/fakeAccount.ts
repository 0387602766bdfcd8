import { createMessage } from '../../../src/i18n/message.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { AssistantView } from '../../../src/core/assistants/assistant.ts';
import type { Standing } from '../../../src/contract/index.ts';
import { publishApproval } from './fakeApprovals.ts';

const day = 86_400_000;

/** What GET /agent/me answers. */
export const fakeStanding = (more: Partial<Standing> = {}): Standing => ({
  allowance: {
    remaining: 1,
    creditBalance: 3,
    nextListing: { kind: 'plan' },
    resetsAt: new Date(Date.now() + 9 * day).toISOString(),
    extras: { available: true, enabled: true, rateCents: 40, approval: { remaining: 4 } },
  },
  upgrade: {
    recommended: true,
    suggestedPlan: 'pro',
    offerTrial: true,
    how: { method: 'POST', path: '/billing/external-checkout-token', body: { tier: 'pro', trial: true } },
  },
  nextSteps: [
    { code: 'UPGRADE', tellThePerson: 'One listing is left. The Pro plan has 300 a month for US$29.00.', call: null },
  ],
  plan: { code: 'starter', name: 'Starter', photosPerListing: 16 },
  market: { connected: true },
  ...more,
});

export const fakePolicies = [
  { policyId: 'pol_f1', kind: 'fulfillment', name: 'Parcel, 2 days', marketplaceId: 'MKT_US' },
  { policyId: 'pol_f2', kind: 'fulfillment', name: 'Letter', marketplaceId: 'MKT_US' },
  { policyId: 'pol_p1', kind: 'payment', name: 'At once', marketplaceId: 'MKT_US' },
  { policyId: 'pol_r1', kind: 'return', name: '30 days', marketplaceId: 'MKT_US' },
];

const noLimit = { publishesPerDay: null, moneyCentsPerDay: null, publishesToday: 0, moneyCentsToday: 0 };

export const fakeAssistants = (restored = false): AssistantView[] => [
  {
    assistantId: 'ast_1',
    name: 'Garage helper',
    pairedAt: Date.now() - 9 * day,
    lastUsedAt: Date.now() - 180_000,
    paused: restored,
    restored,
    nameLike: restored ? { kind: 'assistant', name: 'Garage heIper' } : null,
    budget: { publishesPerDay: 10, moneyCentsPerDay: 500, publishesToday: 3, moneyCentsToday: 105 },
    touches: 'own',
    scope: 'ask',
    folders: ['/home/robin/photos/garage sale', '/media/card/DCIM'],
  },
  {
    assistantId: 'ast_2',
    name: 'Weekend bot',
    pairedAt: Date.now() - 40 * day,
    lastUsedAt: null,
    paused: true,
    restored: false,
    nameLike: null,
    budget: noLimit,
    touches: 'all',
    scope: 'read',
    folders: [],
  },
];

/** A question to set aside paid extras. */
export const extrasApproval = (more: Partial<ApprovalView> = {}, count = 3): ApprovalView => {
  const base = publishApproval();
  return {
    ...base,
    approvalId: 'apr_4',
    digest: `digest-4-${count}`,
    route: 'approveExtras',
    reason: 'The month is used up.',
    prompt: {
      ...base.prompt,
      act: `Set aside ${count} extra ${count === 1 ? 'listing' : 'listings'}`,
      consequence: 'They are good for 24 hours; only those that are used are charged. A receipt comes by e-mail.',
      target: null,
      facts: [],
      money: base.prompt.money && {
        ...base.prompt.money,
        totalMinor: count * 40,
        lines: [{ name: `${count} extra listings at US$0.40`, amountMinor: count * 40 }],
      },
      mainFact: `${count} extra listings at US$0.40`,
      undo: 'Turning extras off cancels them. Extras already used are charged.',
      yes: `Approve up to US$${(count * 0.4).toFixed(2)}`,
      says: { mainFact: createMessage('prompts.asideLine', { count, rate: { minor: 40, currency: 'USD' } }) },
    },
    ...more,
  };
};
