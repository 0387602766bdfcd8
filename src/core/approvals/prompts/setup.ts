import type { Draw, Reads } from './prompt.ts';
import { changesIn, factsIn, sheet } from './sheet.ts';

const again = 'It can be changed again later.';

/** The first record anywhere in an open answer whose id is this one; the interface shows no shape for these lists. */
const find = (value: unknown, id: string): Record<string, unknown> | null => {
  if (value === null || typeof value !== 'object') return null;
  if (!Array.isArray(value) && Object.values(value).includes(id)) return value as Record<string, unknown>;
  for (const part of Object.values(value)) {
    const found = find(part, id);
    if (found) return found;
  }
  return null;
};

const nameOf = (record: Record<string, unknown> | null, id: string): string => {
  const name = record?.['name'] ?? record?.['title'];
  return typeof name === 'string' ? name : id;
};

const disconnectMarket: Draw<'disconnectMarket'> = async ({ body }, reads) => {
  const status = await reads.plain('readMarketStatus');
  return sheet(
    {
      act: 'Disconnect the marketplace account',
      consequence:
        'Nothing can be published or changed on the marketplace until it is connected again. Live listings stay live.',
      yes: 'Disconnect the marketplace',
      undo: 'You can sign in to the marketplace again.',
      subject: {
        title: status.connected ? 'Connected' : 'Not connected',
        facts: factsIn({ site: status.marketplaceId }),
      },
      changes: changesIn(undefined, body),
    },
    reads,
  );
};

const acknowledgeReadiness: Draw<'acknowledgeReadiness'> = async ({ body }, reads) => {
  const { missing } = await reads.plain('readMarketStatus');
  return sheet(
    {
      act: 'Acknowledge what the marketplace asks of you',
      consequence: 'It is recorded that you have read it.',
      yes: 'I have read it',
      undo: 'Nothing else changes by it.',
      subject: { title: 'What the marketplace asks', facts: factsIn({ missing: missing ?? [] }) },
      changes: changesIn(undefined, body),
    },
    reads,
  );
};

const bootstrapPolicies: Draw<'bootstrapPolicies'> = async ({ body }, reads) =>
  sheet(
    {
      act: 'Create starter policies',
      consequence:
        'Shipping, payment and return policies are made on your marketplace account. Listings published later use them.',
      yes: 'Create the policies',
      undo: 'You can change or remove them on the marketplace.',
      changes: changesIn(undefined, body),
    },
    reads,
  );

const updateSellerDefaults: Draw<'updateSellerDefaults'> = async ({ body }, reads) =>
  sheet(
    {
      act: 'Change your selling defaults',
      consequence: 'New listings use these for location, shipping, returns, format and offers.',
      yes: 'Save the defaults',
      undo: again,
      changes: changesIn(await reads.plain('readSellerDefaults'), body),
    },
    reads,
  );

const createTemplate: Draw<'createTemplate'> = async ({ body }, reads) =>
  sheet(
    {
      act: 'Save a new template',
      consequence: 'Listings that use it take its settings.',
      yes: 'Save the template',
      undo: 'It can be changed or deleted later.',
      changes: changesIn(undefined, body),
    },
    reads,
  );

const templateOf = async (templateId: string, reads: Reads) => {
  const record = find(await reads.plain('listTemplates'), templateId);
  return { record, title: nameOf(record, templateId) };
};

const updateTemplate: Draw<'updateTemplate'> = async ({ params, body }, reads) => {
  const { record, title } = await templateOf(params.templateId, reads);
  return sheet(
    {
      act: 'Change a template',
      consequence: 'Listings that use it from now on take the new settings.',
      yes: 'Change the template',
      undo: again,
      subject: { title, facts: [] },
      changes: changesIn(record, body),
    },
    reads,
  );
};

const deleteTemplate: Draw<'deleteTemplate'> = async ({ params }, reads) => {
  const { record, title } = await templateOf(params.templateId, reads);
  return sheet(
    {
      act: 'Delete a template',
      consequence: 'It is gone. Listings made with it stay as they are.',
      yes: 'Delete the template for good',
      subject: { title, facts: factsIn(record ?? {}) },
    },
    reads,
  );
};

const deleteConnection: Draw<'deleteConnection'> = async ({ params }, reads) => {
  const record = find(await reads.plain('listConnections'), params.connectionId);
  return sheet(
    {
      act: 'Disconnect a channel account',
      consequence: `Nothing can be published on ${params.channelId} until it is connected again.`,
      yes: 'Disconnect the channel',
      undo: 'You can connect it again.',
      subject: { title: nameOf(record, params.connectionId), facts: factsIn({ channel: params.channelId }) },
    },
    reads,
  );
};

/** Prompts of acts on the marketplace account, templates and channels. */
export const setupPrompts = {
  disconnectMarket,
  acknowledgeReadiness,
  bootstrapPolicies,
  updateSellerDefaults,
  createTemplate,
  updateTemplate,
  deleteTemplate,
  deleteConnection,
};
