import { saying } from '../../../words/saying.ts';
import type { Draw, Reads } from './prompt.ts';
import { changesIn, factsIn, sheet } from './sheet.ts';

const again = saying('prompts.again');

/** The first record anywhere in an open answer whose id is this one; the interface shows no shape for these lists. */
export const find = (value: unknown, id: string): Record<string, unknown> | null => {
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
      act: saying('prompts.offMarket'),
      consequence: saying('prompts.offMarketMeans'),
      yes: saying('prompts.offMarketYes'),
      undo: saying('prompts.offMarketUndo'),
      subject: {
        title: saying(status.connected ? 'prompts.connected' : 'prompts.notConnected'),
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
      act: saying('prompts.readiness'),
      consequence: saying('prompts.readinessMeans'),
      yes: saying('prompts.readinessYes'),
      undo: saying('prompts.readinessUndo'),
      subject: { title: saying('prompts.readinessOf'), facts: factsIn({ missing: missing ?? [] }) },
      changes: changesIn(undefined, body),
    },
    reads,
  );
};

const bootstrapPolicies: Draw<'bootstrapPolicies'> = async ({ body }, reads) =>
  sheet(
    {
      act: saying('prompts.policies'),
      consequence: saying('prompts.policiesMean'),
      yes: saying('prompts.policiesYes'),
      undo: saying('prompts.policiesUndo'),
      changes: changesIn(undefined, body),
    },
    reads,
  );

const updateSellerDefaults: Draw<'updateSellerDefaults'> = async ({ body }, reads) =>
  sheet(
    {
      act: saying('prompts.defaults'),
      consequence: saying('prompts.defaultsMean'),
      yes: saying('prompts.defaultsYes'),
      undo: again,
      changes: changesIn(await reads.plain('readSellerDefaults'), body),
    },
    reads,
  );

const createTemplate: Draw<'createTemplate'> = async ({ body }, reads) =>
  sheet(
    {
      act: saying('prompts.newTemplate'),
      consequence: saying('prompts.newTemplateMeans'),
      yes: saying('prompts.newTemplateYes'),
      undo: saying('prompts.newTemplateUndo'),
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
      act: saying('prompts.template'),
      consequence: saying('prompts.templateMeans'),
      yes: saying('prompts.templateYes'),
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
      act: saying('prompts.noTemplate'),
      consequence: saying('prompts.noTemplateMeans'),
      yes: saying('prompts.noTemplateYes'),
      subject: { title, facts: factsIn(record ?? {}) },
    },
    reads,
  );
};

const deleteConnection: Draw<'deleteConnection'> = async ({ params }, reads) => {
  const record = find(await reads.plain('listConnections'), params.connectionId);
  return sheet(
    {
      act: saying('prompts.offConnection'),
      consequence: saying('prompts.offConnectionMeans', { channel: params.channelId }),
      yes: saying('prompts.offConnectionYes'),
      undo: saying('prompts.offConnectionUndo'),
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
