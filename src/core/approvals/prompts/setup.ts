import { formatEnglish } from '../../../i18n/english.ts';
import { message, type Message } from '../../../i18n/message.ts';
import type { Fact } from '../../storage/tables/approvalRecord.ts';
import { isRecord, recordOf } from '../../base/json.ts';
import { recordFacts } from './listingFacts.ts';
import { fieldLabel, ownLabel } from './values.ts';
import { idSays, noNames, type Names } from './ids.ts';
import { factLine, quotedLine } from './mainFact.ts';
import type { Act, Reads, Wording } from './prompt.ts';

const again = message('prompts.again');

type Found = Record<string, unknown> | null;

/**
 * Finds the record with this id anywhere in an answer whose shape the interface does not document.
 * Nested records are ignored: their content was written by users and could imitate a record.
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

const recordIn = (context: Record<string, unknown>): Found => {
  const { record } = context;
  return isRecord(record) ? record : null;
};

const titleOf = (record: Found, id: string): Wording => {
  const name = record?.['name'] ?? record?.['title'];
  return typeof name === 'string' && name !== '' ? name : message('values.unknownId', { id });
};

const connectedSays = (connected: unknown): Message => {
  if (typeof connected !== 'boolean') return message('prompts.connectedUnknown');
  return message(connected ? 'prompts.connected' : 'prompts.notConnected');
};

/** Returns a fact of the account, with the value "unknown" if the service does not return it. */
const orUnknown = (key: 'marketAccountId' | 'missing', value: unknown, names: Names): Fact[] => {
  const says = message('values.unknown');
  return typeof value === 'string'
    ? recordFacts('account', { [key]: value }, names)
    : [{ namespace: 'account', key, ...fieldLabel([key]), value: formatEnglish(says), says }];
};

const disconnectMarket: Act<'disconnectMarket'> = {
  gather: async (_input, reads) => {
    const { connected, marketplaceId, account } = await reads.plain('readMarketStatus');
    const marketAccountId = recordOf(account)['marketAccountId'];
    return { context: { connected: connected ?? null, site: marketplaceId ?? null, marketAccountId } };
  },
  sheet: ({ subject: { context }, names }) => {
    const account = orUnknown('marketAccountId', context['marketAccountId'], names);
    return {
      act: message('prompts.offMarket'),
      consequence: message('prompts.offMarketMeans'),
      yes: message('prompts.offMarketYes'),
      undo: message('prompts.offMarketUndo'),
      title: connectedSays(context['connected']),
      mainFact: account[0]?.says ?? null,
      facts: [...account, ...recordFacts('account', { marketplaceId: context['site'] }, names)],
    };
  },
};

/** Returns what is missing, as the service's own sentences. Codes are shown only where there is no sentence. */
const missingFacts = (missing: unknown): Fact[] => {
  if (missing === null) return orUnknown('missing', missing, noNames);
  const all: unknown[] = Array.isArray(missing) ? missing : [missing];
  return recordFacts('account', { missing: all.map((one) => sentenceOf(one) ?? one) }).map((fact) => ({
    ...fact,
    ...ownLabel('missing'),
  }));
};

const sentenceOf = (one: unknown): string | null => {
  const sentence = isRecord(one) ? one['message'] : null;
  return typeof sentence === 'string' && sentence !== '' ? sentence : null;
};

const acknowledgeReadiness: Act<'acknowledgeReadiness'> = {
  gather: async (_input, reads) => {
    const { missing } = await reads.plain('readMarketStatus');
    return { context: { missing: missing ?? null } };
  },
  sheet: ({ subject: { context } }) => {
    const missing = missingFacts(context['missing']);
    return {
      act: message('prompts.readiness'),
      consequence: message('prompts.readinessMeans'),
      yes: message('prompts.readinessYes'),
      undo: message('prompts.readinessUndo'),
      title: message('prompts.readinessOf'),
      mainFact: missing[0] ? factLine(missing[0]) : null,
      facts: missing,
    };
  },
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
    before: recordIn(context),
    currency: null,
  }),
};

const createTemplate: Act<'createTemplate'> = {
  gather: async () => ({}),
  sheet: ({ input: { body } }) => ({
    act: message('prompts.newTemplate'),
    mainFact: quotedLine(body['name']),
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
    title: titleOf(recordIn(context), params.templateId),
    before: recordIn(context),
  }),
};

const deleteTemplate: Act<'deleteTemplate'> = {
  gather: templateOf,
  sheet: ({ input: { params }, subject: { context }, names }) => ({
    act: message('prompts.noTemplate'),
    consequence: message('prompts.noTemplateMeans'),
    yes: message('prompts.noTemplateYes'),
    title: titleOf(recordIn(context), params.templateId),
    facts: recordFacts('templates', recordIn(context), names),
  }),
};

const deleteConnection: Act<'deleteConnection'> = {
  gather: async ({ params }, reads) => {
    const record = find(await reads.plain('listConnections'), 'connectionId', params.connectionId);
    return { context: { record } };
  },
  sheet: ({ input: { params }, subject: { context }, names }) => ({
    act: message('prompts.offConnection'),
    consequence: message('prompts.offConnectionMeans', { channel: idSays('channel', params.channelId, names) }),
    yes: message('prompts.offConnectionYes'),
    mainFact: idSays('channel', params.channelId, names),
    undo: message('prompts.offConnectionUndo'),
    title: titleOf(recordIn(context), params.connectionId),
    facts: recordFacts('account', recordIn(context), names),
  }),
};

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
