import { channelNameIn } from '../../../contract/index.ts';
import { message } from '../../../i18n/message.ts';
import { quotedChannel } from './channels.ts';
import { isRecord } from '../../base/json.ts';
import { recordFacts } from './listingFacts.ts';
import type { Act, Reads } from './prompt.ts';

const again = message('prompts.again');

type Found = Record<string, unknown> | null;

/**
 * The record of this id anywhere in an open answer; the interface shows no shape for these lists. What lies inside another
 * record of the list was written by whoever made that one, and is no record of its own.
 */
export const find = (value: unknown, idField: 'templateId' | 'connectionId' | 'code', id: string): Found => {
  if (!isRecord(value)) return null;
  if (!Array.isArray(value) && Object.hasOwn(value, idField)) return value[idField] === id ? value : null;
  for (const part of Object.values(value)) {
    const found = find(part, idField, id);
    if (found) return found;
  }
  return null;
};

const recordOf = (context: Record<string, unknown>): Found => {
  const { record } = context;
  return isRecord(record) ? record : null;
};

const nameOf = (record: Found, id: string): string => {
  const name = record?.['name'] ?? record?.['title'];
  return typeof name === 'string' ? name : id;
};

const disconnectMarket: Act<'disconnectMarket'> = {
  gather: async (_input, reads) => {
    const { connected, marketplaceId } = await reads.plain('readMarketStatus');
    return { context: { connected, site: marketplaceId ?? null } };
  },
  sheet: ({ subject: { context } }) => ({
    act: message('prompts.offMarket'),
    consequence: message('prompts.offMarketMeans'),
    yes: message('prompts.offMarketYes'),
    undo: message('prompts.offMarketUndo'),
    title: message(context['connected'] === true ? 'prompts.connected' : 'prompts.notConnected'),
    facts: recordFacts('account', { marketplaceId: context['site'] }),
  }),
};

const acknowledgeReadiness: Act<'acknowledgeReadiness'> = {
  gather: async (_input, reads) => {
    const { missing } = await reads.plain('readMarketStatus');
    return { context: { missing: missing ?? [] } };
  },
  sheet: ({ subject: { context } }) => ({
    act: message('prompts.readiness'),
    consequence: message('prompts.readinessMeans'),
    yes: message('prompts.readinessYes'),
    undo: message('prompts.readinessUndo'),
    title: message('prompts.readinessOf'),
    facts: recordFacts('account', { missing: context['missing'] }),
  }),
};

const bootstrapPolicies: Act<'bootstrapPolicies'> = {
  gather: async () => ({}),
  sheet: () => ({
    act: message('prompts.policies'),
    consequence: message('prompts.policiesMean'),
    yes: message('prompts.policiesYes'),
    undo: message('prompts.policiesUndo'),
  }),
};

const updateSellerDefaults: Act<'updateSellerDefaults'> = {
  gather: async (_input, reads) => ({ context: { record: await reads.plain('readSellerDefaults') } }),
  sheet: ({ subject: { context } }) => ({
    act: message('prompts.defaults'),
    consequence: message('prompts.defaultsMean'),
    yes: message('prompts.defaultsYes'),
    undo: again,
    before: recordOf(context),
    currency: null,
  }),
};

const createTemplate: Act<'createTemplate'> = {
  gather: async () => ({}),
  sheet: () => ({
    act: message('prompts.newTemplate'),
    consequence: message('prompts.newTemplateMeans'),
    yes: message('prompts.newTemplateYes'),
    undo: message('prompts.newTemplateUndo'),
  }),
};

const templateOf = async ({ params }: { params: { templateId: string } }, reads: Reads) => ({
  context: { record: find(await reads.plain('listTemplates'), 'templateId', params.templateId) },
});

const updateTemplate: Act<'updateTemplate'> = {
  gather: templateOf,
  sheet: ({ input: { params }, subject: { context } }) => ({
    act: message('prompts.template'),
    consequence: message('prompts.templateMeans'),
    yes: message('prompts.templateYes'),
    undo: again,
    title: nameOf(recordOf(context), params.templateId),
    before: recordOf(context),
  }),
};

const deleteTemplate: Act<'deleteTemplate'> = {
  gather: templateOf,
  sheet: ({ input: { params }, subject: { context } }) => ({
    act: message('prompts.noTemplate'),
    consequence: message('prompts.noTemplateMeans'),
    yes: message('prompts.noTemplateYes'),
    title: nameOf(recordOf(context), params.templateId),
    facts: recordFacts('templates', recordOf(context)),
  }),
};

const deleteConnection: Act<'deleteConnection'> = {
  gather: async ({ params }, reads) => {
    const [list, channels] = await Promise.all([reads.plain('listConnections'), reads.plain('listChannels')]);
    const record = find(list, 'connectionId', params.connectionId);
    return { context: { record, channel: channelNameIn(channels, params.channelId) } };
  },
  sheet: ({ input: { params }, subject: { context } }) => ({
    act: message('prompts.offConnection'),
    consequence: message('prompts.offConnectionMeans', { channel: quotedChannel(String(context['channel'])) }),
    yes: message('prompts.offConnectionYes'),
    undo: message('prompts.offConnectionUndo'),
    title: nameOf(recordOf(context), params.connectionId),
    facts: recordFacts('account', recordOf(context)),
  }),
};

/** Acts on the marketplace account, templates and channels. */
export const setupActs = {
  disconnectMarket,
  acknowledgeReadiness,
  bootstrapPolicies,
  updateSellerDefaults,
  createTemplate,
  updateTemplate,
  deleteTemplate,
  deleteConnection,
};
