import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RawInput, RouteName } from '../../../src/contract/index.ts';
import { promptedRoutes } from '../../../src/core/approvals/prompts/index.ts';
import type { Prompt } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import { readServiceKey } from '../../helpers/approvals/decisions.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { listPromptCases } from '../../helpers/approvals/listPromptCases.ts';
import { promptTranslators, type PromptLanguage } from '../../helpers/approvals/formatPromptLines.ts';
import { connectCorner } from '../../helpers/practice/channels.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ person: { extras: true } });
});
afterEach(() => world.close());

const cases = listPromptCases(
  () => world,
  async (person) => {
    await world.close();
    world = await startWorld({ person });
  },
);
const getInput = (route: RouteName, at = 0) => cases.filter(([name]) => name === route)[at]?.[1] ?? (() => ({}));

const readPrompt = async (route: RouteName, input: RawInput, by: Asker = { kind: 'person' }): Promise<Prompt> => {
  const asked = await world.companion().perform({ by, route, input });
  if (asked.state !== 'pending') throw new Error(`${route} did not ask.`);
  return world.companion().approvals.readView(asked.approvalId).prompt;
};

const formatMainFact = ({ mainFact, says }: Prompt, language: PromptLanguage): string | null =>
  mainFact === null
    ? null
    : ((says?.mainFact && promptTranslators[language](says.mainFact)) ?? mainFact).replaceAll('\u00a0', ' ');

/** Creates a live listing, optionally live on the other channel, too, and returns the input of a request. */
const createLiveInput = async (body: unknown, isOnCorner = false): Promise<RawInput> => {
  const key = await readServiceKey(world);
  if (isOnCorner) await connectCorner(world.practice, key);
  const listingId = await world.practice.live(key);
  if (isOnCorner)
    await world.practice.call(key, 'POST', `/listings/${listingId}/channels/publish`, { channels: ['corner'] });
  return { params: { listingId }, body };
};
/** Creates a listing that the service shows without a price. */
const createUnpricedInput = async (): Promise<RawInput> => {
  const listingId = await world.practice.written(await readServiceKey(world));
  await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', times: 100, body: { price: null } });
  return { params: { listingId } };
};
const createDraftInput = async (): Promise<RawInput> => {
  const listingId = await world.practice.draft(await readServiceKey(world), 1);
  return { params: { listingId } };
};
type Row = [what: string, RouteName, () => Promise<RawInput> | RawInput, en: string | null, de: string | null];
const price = ['US$12.99', '12,99 US$'] as const;
const rows: Row[] = [
  ['a publish', 'publishListing', getInput('publishListing'), ...price],
  ['a publish without a price', 'publishListing', createUnpricedInput, 'Price: not set', 'Preis: nicht angegeben'],
  ['a publish on channels', 'publishChannels', getInput('publishChannels'), ...price],
  [
    'a lower price',
    'reviseListing',
    () => createLiveInput({ price: 899 }),
    'US$12.99 → US$8.99',
    '12,99 US$ → 8,99 US$',
  ],
  [
    'a lower price after a changed title',
    'reviseListing',
    () => createLiveInput({ title: 'Rivers', price: 899 }),
    'US$12.99 → US$8.99',
    '12,99 US$ → 8,99 US$',
  ],
  [
    'a changed quantity with an unchanged price',
    'reviseListing',
    () => createLiveInput({ price: 1_299, quantity: 3 }),
    'Quantity: 1 → 3',
    'Menge: 1 → 3',
  ],
  [
    'a changed title',
    'reviseListing',
    () => createLiveInput({ title: 'Cheap: US$1.00' }),
    'Title: “A book about rivers” → “Cheap: US$1.00”',
    'Titel: „A book about rivers“ → „Cheap: US$1.00“',
  ],
  [
    'a long title',
    'reviseListing',
    () => createLiveInput({ title: 'A much better title that is quite long in the end' }),
    'Title: “A much better title that is quite long …”',
    'Titel: „A much better title that is quite long …“',
  ],
  [
    'a lower price on another channel',
    'reviseChannels',
    () => createLiveInput({ channels: ['corner'], price: 888 }, true),
    'US$12.99 → US$8.88',
    '12,99 US$ → 8,88 US$',
  ],
  [
    'Best Offer',
    'updateListing',
    getInput('updateListing'),
    'Auto-accept from: not set → US$10.00',
    'Automatisch angenommen ab: nicht angegeben → 10,00 US$',
  ],
  [
    'a changed format',
    'updateListing',
    getInput('updateListing', 1),
    'Format: Fixed price → Auction',
    'Angebotsformat: Festpreis → Auktion',
  ],
  ['an end', 'endListing', getInput('endListing'), 'Ends on the US site', 'Endet auf der US-amerikanischen Website'],
  [
    'an end on all channels',
    'endChannels',
    () => createLiveInput({ channels: ['market', 'corner'] }, true),
    'Ends on the US site and on “Corner shop (practice)”',
    'Endet auf der US-amerikanischen Website und bei „Corner shop (practice)“',
  ],
  [
    'an end on a channel',
    'endChannels',
    () => createLiveInput({ channels: ['corner'] }, true),
    'Ends on “Corner shop (practice)”',
    'Endet bei „Corner shop (practice)“',
  ],
  ['a removal from a channel', 'deleteFromChannels', getInput('deleteFromChannels'), ...price],
  ['a deletion', 'deleteListing', getInput('deleteListing'), ...price],
  ['a deletion without a price', 'deleteListing', createUnpricedInput, 'Ready to review', 'Bereit zum Prüfen'],
  ['a fee notice', 'quoteFees', getInput('quoteFees'), 'United States', 'Vereinigte Staaten'],
  [
    'extras',
    'approveExtras',
    () => ({ body: { count: 3, rateCents: 55 } }),
    '3 extra listings at US$0.55',
    '3 Extra-Angebote zu 0,55 US$',
  ],
  ['turning extras off', 'setExtras', getInput('setExtras'), 'Turned on: yes → no', 'Eingeschaltet: ja → nein'],
  [
    'selling defaults',
    'updateSellerDefaults',
    () => ({ body: { location: { country: 'US', postalCode: '94105' } } }),
    'Postcode: 94107 → 94105',
    'Postleitzahl: 94107 → 94105',
  ],
  ['a new template', 'createTemplate', getInput('createTemplate'), '“Books”', '„Books“'],
  [
    'a change of a template',
    'updateTemplate',
    getInput('updateTemplate'),
    'Name: “Books” → “Novels”',
    'Name: „Books“ → „Novels“',
  ],
  // The prompt shows the template's name elsewhere.
  ['a deleted template', 'deleteTemplate', getInput('deleteTemplate'), null, null],
  [
    'a disconnected channel',
    'deleteConnection',
    getInput('deleteConnection'),
    '“Corner shop (practice)”',
    '„Corner shop (practice)“',
  ],
  [
    'a change of the setting after a sale',
    'updateUser',
    getInput('updateUser'),
    'Take sold items off other channels: no → yes',
    'Verkauftes aus anderen Kanälen nehmen: nein → ja',
  ],
  [
    'the checkout of a plan',
    'createCheckout',
    getInput('createCheckout'),
    'Price per month: US$119.99',
    'Preis im Monat: 119,99 US$',
  ],
  [
    'a checkout page',
    'createCheckoutToken',
    getInput('createCheckoutToken'),
    'Price per month: US$119.99',
    'Preis im Monat: 119,99 US$',
  ],
  ['a message to support', 'sendContact', getInput('sendContact'), '“Hello there”', '„Hello there“'],
  [
    'a change of e-mail notices',
    'updateUserNotificationPreferences',
    getInput('updateUserNotificationPreferences'),
    'Unknown field “security”: yes → no',
    'Unbekanntes Feld „security“: ja → nein',
  ],
  [
    'a change of push notices',
    'updatePushPreferences',
    getInput('updatePushPreferences'),
    'Unknown field “account”: yes → no',
    'Unbekanntes Feld „account“: ja → nein',
  ],
  // The headings of these prompts say everything.
  ...(['revokeCurrentKey', 'createPortal', 'bootstrapPolicies', 'acknowledgeReadiness'] as const).map((route): Row => [
    route,
    route,
    getInput(route),
    null,
    null,
  ]),
];

describe('the main fact of each prompt', () => {
  test.each(rows)('the main fact of %s is correct in English and in German', async (_what, route, input, en, de) => {
    const prompt = await readPrompt(route, await input());
    expect({ en: formatMainFact(prompt, 'en'), de: formatMainFact(prompt, 'de') }).toEqual({ en, de });
  });

  test('these tests cover every route with a prompt except two with their own tests', () => {
    expect(promptedRoutes.filter((route) => !rows.some(([, name]) => name === route))).toEqual([
      'generateListing',
      'disconnectMarket',
    ]);
  });

  test('the main fact in the prompt to disconnect a marketplace is the name of the account', async () => {
    expect(formatMainFact(await readPrompt('disconnectMarket', {}), 'de')).toMatch(/^„seller-\w+“$/);
  });
  test('the main fact in the prompt to generate again is the number of remaining listings', async () => {
    await world.practice.control('POST', '/writer', { fail: 'IMAGES_UNREADABLE' });
    const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('dark cellar')] });
    const [itemId = ''] = itemIds;
    await world.until(() => world.companion().items.get(itemId).stop, 'the stop');
    await world.companion().items.resume(itemId);
    const [asked] = world.companion().approvals.listPending();
    expect(asked && formatMainFact(asked.prompt, 'de')).toMatch(/^Verbleibende Angebote: \d+$/);
  });
  test('the main fact in the prompt of a generation paid with an extra is its price', async () => {
    await world.close();
    world = await startWorld({ person: { plan: 'Lite', used: 30, extras: true } });
    await readPrompt('approveExtras', { body: { count: 2, rateCents: 60 } });
    await world.yes();
    const prompt = await readPrompt('generateListing', await createDraftInput(), pairAsker(world, 'Poor'));
    expect(formatMainFact(prompt, 'de')).toBe('0,60 US$');
  });
});
