import type { RawInput, RouteName } from '../../../src/contract/index.ts';
import { connectCorner, setUpSelling } from '../practice/channels.ts';
import type { PersonOptions } from '../practice.ts';
import type { World } from '../world.ts';
import { readServiceKey } from './decisions.ts';

/** A request that needs approval, and the English text of its prompt. */
export type PromptCase = [
  RouteName,
  () => Promise<RawInput> | RawInput,
  { act: string; yes: string; final: boolean; shows?: string },
];

/** Returns a request for every route that needs approval; `startAgain` creates a new world with a new person. */
export const listPromptCases = (
  world: () => World,
  startAgain: (person: PersonOptions) => Promise<unknown>,
): PromptCase[] => {
  const userId = async (): Promise<string> => {
    const outcome = await world().perform('readAccount', {});
    return outcome.state === 'done' ? (outcome.answer as { userId: string }).userId : '';
  };

  const nothing = (): RawInput => ({});
  const listed = async (body?: unknown): Promise<RawInput> => ({
    params: { listingId: (await world().reviewed()).listingId },
    ...(body === undefined ? {} : { body }),
  });
  const live = async (body?: unknown): Promise<RawInput> => {
    const input = await listed();
    await world().perform('publishListing', { params: { listingId: input.params?.['listingId'] ?? '' } });
    const [asked] = world().companion().approvals.listPending();
    await world().pressYes(asked?.approvalId ?? '', asked?.digest ?? '');
    return { ...input, ...(body === undefined ? {} : { body }) };
  };

  /** Publishes a live listing on the second channel, too. */
  const onCorner = async (body: unknown): Promise<RawInput> => {
    const key = await readServiceKey(world());
    await connectCorner(world().practice, key);
    const listingId = await world().practice.live(key);
    await world().practice.call(key, 'POST', `/listings/${listingId}/channels/publish`, { channels: ['corner'] });
    return { params: { listingId }, body };
  };

  /** Creates a template and a connection that can be changed or deleted. */
  const setUp = async () => setUpSelling(world().practice, await readServiceKey(world()));
  const template = async (): Promise<RawInput> => ({ params: { templateId: (await setUp()).templateId } });
  const connection = async (): Promise<RawInput> => ({
    params: { channelId: 'corner', connectionId: (await setUp()).connectionId },
  });

  /** A person without a paid plan. */
  const onFree = async (body: unknown): Promise<RawInput> => {
    await startAgain({ plan: 'Free' });
    return { body };
  };

  return [
    [
      'publishListing',
      listed,
      { act: 'Publish on the US site', yes: 'Publish for US$0.35', final: false, shows: 'Insertion' },
    ],
    ['publishChannels', listed, { act: 'Publish on the US site', yes: 'Publish for US$0.35', final: false }],
    [
      'updateListing',
      () => listed({ bestOffer: { enabled: true, autoAcceptCents: 1_000 } }),
      { act: 'Set Best Offer', yes: 'Save Best Offer', final: false, shows: 'US$10.00' },
    ],
    [
      'updateListing',
      () => listed({ format: 'AUCTION', bestOffer: { enabled: false } }),
      { act: 'Change the listing format', yes: 'Change the format', final: false, shows: 'Auction' },
    ],
    ['deleteListing', listed, { act: 'Delete the listing', yes: 'Delete for good', final: true }],
    [
      'reviseListing',
      () => live({ price: 1_999 }),
      { act: 'Change the live listing', yes: 'Change it live', final: false, shows: 'US$19.99' },
    ],
    [
      'reviseChannels',
      () => live({ price: 1_999 }),
      { act: 'Change the live listing', yes: 'Change it live', final: false, shows: 'US$12.99' },
    ],
    ['endListing', live, { act: 'End the live listing', yes: 'End for good', final: true }],
    ['endChannels', live, { act: 'End the live listing', yes: 'End for good', final: true }],
    [
      'deleteFromChannels',
      () => onCorner({ channels: ['corner'] }),
      {
        act: 'Remove the listing from “Corner shop (practice)”',
        yes: 'Remove it',
        final: false,
        shows: 'Corner shop',
      },
    ],
    [
      'quoteFees',
      () => listed({ action: 'confirm', marketplaceId: 'MKT_US' }),
      { act: 'Agree to the fee notice on the US site', yes: 'Agree to the fee notice', final: false },
    ],
    [
      'disconnectMarket',
      nothing,
      { act: 'Disconnect the marketplace account', yes: 'Disconnect the marketplace', final: false },
    ],
    [
      'acknowledgeReadiness',
      nothing,
      { act: 'Acknowledge what the marketplace requires', yes: 'I have read it', final: false },
    ],
    ['bootstrapPolicies', nothing, { act: 'Create starter policies', yes: 'Create the policies', final: false }],
    [
      'updateSellerDefaults',
      () => ({ body: { location: { country: 'US', postalCode: '94105' } } }),
      { act: 'Change your selling defaults', yes: 'Save the defaults', final: false, shows: 'location.postalCode' },
    ],
    [
      'createTemplate',
      () => ({ body: { name: 'Books' } }),
      { act: 'Save a new template', yes: 'Save the template', final: false, shows: 'Books' },
    ],
    [
      'updateTemplate',
      async () => ({ ...(await template()), body: { name: 'Novels' } }),
      { act: 'Change a template', yes: 'Change the template', final: false, shows: 'Novels' },
    ],
    [
      'deleteTemplate',
      () => template(),
      { act: 'Delete a template', yes: 'Delete the template for good', final: true, shows: 'Books' },
    ],
    [
      'deleteConnection',
      () => connection(),
      { act: 'Disconnect a channel account', yes: 'Disconnect the channel', final: false, shows: 'Corner shop' },
    ],
    [
      'updateUser',
      async () => ({ params: { userId: await userId() }, body: { autoDelistDefault: true } }),
      { act: 'Change what happens after a sale', yes: 'Save the setting', final: false, shows: 'autoDelistDefault' },
    ],
    ['revokeCurrentKey', nothing, { act: 'Disconnect from the service', yes: 'Disconnect for good', final: true }],
    [
      'sendContact',
      () => ({ body: { message: 'Hello there', replyTo: 'me@example.com' } }),
      { act: "Send a message to the service's support", yes: 'Send the message', final: true, shows: 'Hello there' },
    ],
    [
      'createCheckoutToken',
      () => onFree({ tier: 'pro' }),
      { act: 'Open the checkout for a plan', yes: 'Get the checkout page', final: false, shows: 'Pro' },
    ],
    [
      'createCheckout',
      () => onFree({ tier: 'pro' }),
      { act: 'Open the checkout for a plan', yes: 'Get the checkout page', final: false },
    ],
    ['createPortal', nothing, { act: 'Open the billing pages', yes: 'Get the link', final: false }],
    [
      'updateUserNotificationPreferences',
      async () => ({ params: { userId: await userId() }, body: { security: false } }),
      { act: 'Turn off important notices', yes: 'Turn them off', final: false, shows: 'security' },
    ],
    [
      'updatePushPreferences',
      () => ({ body: { account: false } }),
      { act: 'Turn off important notices', yes: 'Turn them off', final: false, shows: 'account' },
    ],
    [
      'setExtras',
      () => ({ body: { enabled: false } }),
      { act: 'Turn extra listings off', yes: 'Turn extras off', final: false },
    ],
  ];
};
