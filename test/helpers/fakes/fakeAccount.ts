import type { AssistantView } from '../../../src/core/assistants/assistant.ts';
import type { Standing } from '../../../src/contract/index.ts';

const day = 86_400_000;

/** Returns the answer to GET /agent/me. */
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
    shelf: false,
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
    shelf: false,
    scope: 'read',
    folders: [],
  },
];
