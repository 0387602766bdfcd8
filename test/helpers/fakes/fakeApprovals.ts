import type { ApprovalView, PromptMoney } from '../../../src/core/storage/tables/approvalRecord.ts';
import { createProblemText } from '../../../src/core/base/problem.ts';
import { createMessage, type Message } from '../../../src/i18n/message.ts';
import {
  boundPhotos,
  change,
  foxFacts,
  maskedFacts,
  policyFacts,
  siteFact,
  siteSays,
  siteWords,
  templatePrompt,
} from './fakePrompt.ts';

const minute = 60_000;

const fees = (): PromptMoney => ({
  state: 'fee',
  currency: 'USD',
  totalMinor: 155,
  lines: [
    { name: 'Insertion fee', amountMinor: 35 },
    { name: 'Subtitle', amountMinor: 120 },
    { name: 'Gallery photo', amountMinor: 0 },
  ],
  reason: null,
  quotedAt: Date.now() - minute,
});

const amount = (minor: number, currency: string): Message =>
  createMessage('values.amount', { amount: { minor, currency } });

/** A question to publish the fox. */
export const publishApproval = (more: Partial<ApprovalView> = {}): ApprovalView => ({
  approvalId: 'apr_1',
  digest: 'digest-1',
  state: 'pending',
  route: 'publishListing',
  by: { kind: 'assistant', assistantId: 'ast_1', name: 'Garage helper' },
  reason: 'You said the fox can go out today, and that the price is fine.',
  body: {},
  prompt: {
    act: `Publish on ${siteWords('MKT_US')}`,
    consequence: 'The listing goes live at once and buyers can buy it.',
    target: {
      listingId: 'lst_fox',
      title: 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
      ...boundPhotos('fox', 5),
    },
    facts: foxFacts(),
    changes: [],
    money: fees(),
    feeNotice: null,
    mainFact: 'US$34.99',
    undo: 'You can end the listing at any time; the fee is not paid back.',
    final: false,
    yes: 'Publish for US$1.55',
    says: {
      act: createMessage('prompts.publishOn', { site: siteSays('MKT_US') }),
      yes: createMessage('prompts.publishFor', { fee: { minor: 155, currency: 'USD' } }),
      mainFact: amount(3_499, 'USD'),
    },
  },
  sinceShown: [],
  placeSeq: Date.now() - 3 * minute,
  askedAt: Date.now() - 3 * minute,
  shownAt: Date.now(),
  expiresAt: Date.now() + 27 * minute,
  decidedAt: null,
  outcome: null,
  supersededBy: null,
  heldUntil: null,
  mayUnlock: false,
  differences: [],
  nameLike: null,
  quiet: false,
  ...more,
});

/** A question to publish what is full of other people's names. */
export const maskedApproval = (more: Partial<ApprovalView> = {}): ApprovalView => {
  const base = publishApproval({
    approvalId: 'apr_5',
    digest: 'digest-5',
    nameLike: { kind: 'assistant', name: 'Garage heIper' },
    ...more,
  });
  return { ...base, prompt: { ...base.prompt, facts: maskedFacts() } };
};

const longText = (end: string): string => `${'Clean and ready to wear. '.repeat(150)}${end}`;

const lowered = createMessage('values.changes', { before: amount(5_900, 'EUR'), after: amount(4_900, 'EUR') });

/** A question to change a live listing, with text that tries to be what it is not. */
export const reviseApproval = (more: Partial<ApprovalView> = {}): ApprovalView => {
  const base = publishApproval();
  return {
    ...base,
    approvalId: 'apr_2',
    digest: 'digest-2',
    route: 'reviseListing',
    reason: 'Cheaper sells faster. \u202eevil\u202c',
    placeSeq: Date.now() - minute,
    askedAt: Date.now() - minute,
    prompt: {
      ...base.prompt,
      act: 'Change the live listing',
      consequence: 'Buyers see the change at once.',
      target: {
        listingId: 'lst_shoes',
        title: 'Nike Аir Zoom Pegasus 38\u200b Running Shoes',
        ...boundPhotos('shoes', 2),
      },
      facts: [siteFact('MKT_DE')],
      changes: [
        change('price', '€59.00', '€49.00'),
        change(
          'title',
          'Nike Air Zoom Pegasus 38 Running Shoes, Men’s EU 43, Blue',
          'Nike Air Zoom Pegasus 38 Running Shoes, Men’s EU 43, Navy Blue, worn twice',
        ),
        change('description', longText('They come in their box.'), longText('They come without a box.')),
        change('itemSpecifics', 'Brand: Nike', '', {
          label: 'Item specifics',
          says: { after: { key: 'values.asBefore' } },
        }),
        change('Price', '', 'US$1.00', {
          label: 'Unknown field “Price”',
          labelSays: createMessage('values.unknownField', {
            field: createMessage('notices.quoted', { text: 'Price' }),
          }),
          foreign: true,
        }),
      ],
      money: null,
      mainFact: '€59.00 → €49.00',
      undo: 'You can change it back.',
      yes: 'Change the listing',
      says: { act: createMessage('prompts.revise'), yes: createMessage('prompts.reviseYes'), mainFact: lowered },
    },
    ...more,
  };
};

/** A question that cannot be undone. */
export const endApproval = (more: Partial<ApprovalView> = {}): ApprovalView => {
  const base = publishApproval();
  return {
    ...base,
    approvalId: 'apr_3',
    digest: 'digest-3',
    route: 'endListing',
    by: { kind: 'person' },
    reason: null,
    prompt: {
      ...base.prompt,
      act: 'End the live listing',
      consequence: 'It comes off the marketplace at once.',
      facts: foxFacts('MKT_DE'),
      money: null,
      mainFact: 'Ends on the German site',
      undo: 'This cannot be undone. A relist is a new listing.',
      final: true,
      yes: 'End the listing',
      says: {
        act: createMessage('prompts.end'),
        yes: createMessage('prompts.endYes'),
        undo: createMessage('prompts.final'),
        mainFact: createMessage('prompts.endsOn', { site: siteSays('MKT_DE') }),
      },
    },
    ...more,
  };
};

/** The yes to an end, held back for five seconds from now. */
export const heldApproval = (more: Partial<ApprovalView> = {}): ApprovalView =>
  endApproval({ state: 'approved', decidedAt: Date.now(), heldUntil: Date.now() + 5_000, ...more });

/** A publish that went through, and what is live is not what was bound. */
export const differingApproval = (more: Partial<ApprovalView> = {}): ApprovalView =>
  publishApproval({
    approvalId: 'apr_6',
    state: 'done',
    decidedAt: Date.now() - minute,
    outcome: { sentence: 'It is live.', code: null, url: 'https://market.example/listing/12' },
    differences: [
      change('price', 'US$34.99', 'US$3.49'),
      change('photos', '5 photos', '4 photos', { label: 'Photos' }),
    ],
    ...more,
  });

/** A publish of which nobody knows what became of it. */
export const unknownApproval = (more: Partial<ApprovalView> = {}): ApprovalView =>
  publishApproval({
    approvalId: 'apr_7',
    state: 'unconfirmed',
    decidedAt: Date.now() - 12 * minute,
    mayUnlock: true,
    outcome: {
      sentence: 'The service did not answer. The companion is checking whether it went through; it is not sent again.',
      code: 'UNCONFIRMED',
      url: null,
    },
    ...more,
  });

/** A publish that the service says is done, and the listing shows otherwise to the last reading. */
export const contradictedApproval = (more: Partial<ApprovalView> = {}): ApprovalView =>
  publishApproval({
    approvalId: 'apr_8',
    state: 'unconfirmed',
    decidedAt: Date.now() - minute,
    outcome: { ...createProblemText('CONTRADICTED'), url: null },
    ...more,
  });

/** A publish that went through, with a page on a host that nothing of the person's was on before. */
export const strangeHostApproval = (more: Partial<ApprovalView> = {}): ApprovalView =>
  publishApproval({
    approvalId: 'apr_9',
    state: 'done',
    decidedAt: Date.now() - minute,
    outcome: {
      sentence: 'Published. The listing is live.',
      says: createMessage('outcomes.published'),
      code: null,
      url: 'https://pay.unknown-market-of-a-long-name.example/listing/12',
    },
    ...more,
  });

/** A publish whose policies are named by the request, by a template and by nothing. */
export const policiesApproval = (more: Partial<ApprovalView> = {}): ApprovalView => {
  const base = publishApproval({ approvalId: 'apr_10', digest: 'digest-10', ...more });
  const facts = [...foxFacts().filter(({ namespace }) => namespace !== 'policies'), ...policyFacts()];
  return { ...base, body: { fulfillmentPolicyId: 'pol_1' }, prompt: { ...base.prompt, facts } };
};

/** A change of a template. */
export const templateApproval = (more: Partial<ApprovalView> = {}): ApprovalView => {
  const base = publishApproval({ approvalId: 'apr_11', digest: 'digest-11', route: 'updateTemplate', ...more });
  return {
    ...base,
    reason: null,
    body: { fulfillmentPolicyId: 'pol_1' },
    prompt: { ...base.prompt, ...templatePrompt() },
  };
};

/** A publish of the fox that the marketplace refused. */
export const refusedApproval = (code: string): ApprovalView =>
  publishApproval({
    approvalId: 'apr_refused',
    body: { autoDelistOnSale: true },
    by: { kind: 'person' },
    reason: null,
    state: 'failed',
    placeSeq: Date.now() - 2 * minute,
    askedAt: Date.now() - 2 * minute,
    decidedAt: Date.now() - minute,
    outcome: { sentence: `The marketplace said no: ${code.toLowerCase().replaceAll('_', ' ')}.`, code, url: null },
  });

/** What was decided before. */
export const fakeHistory = (): ApprovalView[] => [
  publishApproval({
    approvalId: 'apr_0',
    state: 'done',
    decidedAt: Date.now() - 90 * minute,
    placeSeq: Date.now() - 92 * minute,
    askedAt: Date.now() - 92 * minute,
    outcome: { sentence: 'It is live.', code: null, url: 'https://market.example/listing/12' },
  }),
  endApproval({
    approvalId: 'apr_00',
    state: 'declined',
    decidedAt: Date.now() - 3_000 * minute,
    placeSeq: Date.now() - 3_001 * minute,
    askedAt: Date.now() - 3_001 * minute,
    outcome: { sentence: 'You declined. Nothing was sent.', code: null, url: null },
  }),
];
