import { core, formatEnglishMessage } from '../../../src/i18n/english.ts';
import { createMessage, type Message } from '../../../src/i18n/message.ts';
import type {
  FieldChange,
  PromptFact,
  PromptMoney,
  Namespace,
  Prompt,
} from '../../../src/core/storage/tables/approvalRecord.ts';

const hex = (text: string): string => [...new TextEncoder().encode(text)].map((byte) => byte.toString(16)).join('');

/** Where the bytes of a bound photo stand. The stand-in for their hash names the photo, so that it can be drawn. */
export const boundPhoto = (photo: string): string => `/bound-photos/${hex(photo).padEnd(64, '0')}`;

/** Photos of one item, main photo first, as a prompt has them. */
export const boundPhotos = (item: string, count: number): { photoUrl: string | null; photos: string[] } => {
  const photos = Array.from({ length: count }, (_, at) => boundPhoto(`${item}-${at}`));
  return { photoUrl: photos[0] ?? null, photos };
};

/** The name of a fact in every language, as the core has it. */
const labelSays = (label: string): Pick<PromptFact, 'labelSays'> => {
  const found = Object.entries(core.facts).find(([, text]) => text === label);
  return found ? { labelSays: { key: `facts.${found[0]}` } } : {};
};

export const fact = (
  namespace: Namespace,
  key: string,
  value: string,
  more: Partial<Pick<PromptFact, 'label' | 'says'>> = {},
): PromptFact => ({ namespace, key, label: key, value, ...labelSays(more.label ?? key), ...more });

export const change = (key: string, before: string, after: string, more: Partial<FieldChange> = {}): FieldChange => ({
  key,
  label: key,
  before,
  after,
  ...more,
});

const siteNames: Readonly<Record<string, string>> = {
  MKT_US: 'the US site',
  MKT_DE: 'the German site',
  MKT_GB: 'the British site',
};
export const siteWords = (site: string): string => siteNames[site] ?? site;
/** What other languages say a site from. */
export const siteSays = (site: string): { key: string } => ({ key: `sites.${site}` });
const countries: Readonly<Record<string, string>> = {
  MKT_US: 'United States',
  MKT_DE: 'Germany',
  MKT_GB: 'United Kingdom',
};
/** As the companion names a site where it stands alone. */
export const siteFact = (site: string): PromptFact =>
  fact('listing', 'marketplaceId', countries[site] ?? site, { label: 'Site', says: { key: `siteNames.${site}` } });

/** A fee of so many hundredths, with one line. */
export const feeOf = (totalMinor: number, currency = 'USD'): PromptMoney => ({
  state: 'fee',
  currency,
  totalMinor,
  lines: [{ name: 'Insertion fee', amountMinor: totalMinor }],
  reason: null,
  quotedAt: Date.now() - 60_000,
});

/** The listing as the service has it, in the group that is folded. */
const record: readonly PromptFact[] = [
  fact(
    'record',
    'description',
    `<p>A hand painted ceramic fox. ${'It sat on a shelf and never fell. '.repeat(20)}</p><p>The very last words.</p>`,
  ),
  fact('record', 'status', 'pending_review'),
  fact('record', 'source', 'photos'),
  fact('record', 'createdAt', '2026-11-20T10:12:00Z'),
];

/** What a prompt shows of the fox. */
export const foxFacts = (site = 'MKT_US'): PromptFact[] => [
  fact('listing', 'price', 'US$34.99', { label: 'Price' }),
  fact('listing', 'condition', 'Used – good', { label: 'Condition' }),
  fact('listing', 'conditionDescription', 'Small chip at the foot.'),
  fact('listing', 'quantity', '1', { label: 'Quantity' }),
  fact('listing', 'format', 'Fixed price', { label: 'Format' }),
  fact('listing', 'bestOffer', 'on, auto-accepts from US$30.00', { label: 'Best Offer' }),
  siteFact(site),
  fact('listing', 'category', 'Collectables > Animals', { label: 'Category' }),
  fact('listing', 'sku', 'SHELF-12'),
  fact('specifics', 'Material', 'Ceramic'),
  fact('specifics', 'Colour', 'Red'),
  fact('defaults', 'returns.days', '30'),
  fact('policies', 'Parcel, 2 days', 'Shipping policy'),
  ...record,
];

const inWords = (says: Message): { value: string; says: Message } => ({ value: formatEnglishMessage(says), says });
const policyWords = (name: string, ...terms: Message[]): Message =>
  terms.reduce(
    (before, next) => createMessage('values.listed', { before, next }),
    createMessage('notices.quoted', { text: name }),
  );
const labelled = (key: string): Pick<PromptFact, 'label' | 'labelSays'> => {
  const labelSays: Message = { key: `labels.${key}` };
  return { label: formatEnglishMessage(labelSays), labelSays };
};
const post = policyWords(
  'USPS calculated',
  createMessage('siteNames.MKT_US'),
  createMessage('values.postageCalculated'),
);
const returns = policyWords('30 days, United States', createMessage('values.returnDays', { count: 30 }));

/** Policies that the request, the template and the service name, one each. */
export const policyFacts = (): PromptFact[] => [
  { namespace: 'request', key: 'fulfillmentPolicyId', ...labelled('fulfillmentPolicyId'), ...inWords(post) },
  {
    namespace: 'policies',
    key: 'paymentPolicyId',
    ...labelled('paymentPolicyId'),
    ...inWords(
      createMessage('values.fromTemplate', { policy: policyWords('Payment by the marketplace, United States') }),
    ),
  },
  {
    namespace: 'policies',
    key: 'returnPolicyId',
    ...labelled('returnPolicyId'),
    ...inWords(
      createMessage('values.chosenFrom', {
        policies: createMessage('values.oneOf', {
          before: returns,
          next: policyWords('60 days, buyer pays', createMessage('values.returnDays', { count: 60 })),
        }),
      }),
    ),
  },
];

/** What is shown of a template that gets another shipping policy. */
export const templatePrompt = (): Partial<Prompt> => {
  const [act, consequence, undo, yes] = [
    createMessage('prompts.template'),
    createMessage('prompts.templateMeans'),
    createMessage('prompts.again'),
    createMessage('prompts.templateYes'),
  ];
  return {
    act: formatEnglishMessage(act),
    consequence: formatEnglishMessage(consequence),
    undo: formatEnglishMessage(undo),
    yes: formatEnglishMessage(yes),
    says: { act, consequence, undo, yes },
    target: { listingId: null, title: 'Books', photoUrl: null, photos: [] },
    money: null,
    mainFact: null,
    facts: [
      {
        namespace: 'request',
        key: 'templateId',
        ...labelled('templateId'),
        ...inWords(createMessage('notices.quoted', { text: 'Books' })),
      },
    ],
    changes: [
      {
        key: 'fulfillmentPolicyId',
        ...labelled('fulfillmentPolicyId'),
        before: 'not known',
        after: formatEnglishMessage(post),
        says: { before: createMessage('values.unknown'), after: post },
      },
    ],
  };
};

/** Specifics that try to be what they are not. */
export const maskedFacts = (): PromptFact[] => [
  ...foxFacts().filter(({ namespace }) => namespace !== 'specifics'),
  fact('specifics', 'Price', 'US$1.00'),
  fact('specifics', 'Title', 'An empty box'),
  fact('specifics', 'Marketplace fees', 'Free'),
  fact('specifics', 'Site', 'the German site'),
  fact('specifics', 'Mаterial', 'Ceramic\u{e0001}\u200b'),
];
