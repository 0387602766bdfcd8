import { formatEnglishMessage } from '../../../i18n/english.ts';
import { createMessage, type Message } from '../../../i18n/message.ts';
import type { PromptFact } from '../../storage/tables/approvalRecord.ts';
import { isRecord, toRecordOrEmpty } from '../../base/json.ts';
import { createRecordFacts } from './listingFacts.ts';
import { createFieldLabel, createFactLabel } from './values.ts';
import { formatIdName, noIdNames, type IdNames } from './ids.ts';
import { formatFactLine, formatQuotedLine } from './mainFact.ts';
import type { PromptDefinition, Reads, Wording } from './promptDefinition.ts';

const againMessage = createMessage('prompts.again');

type FoundRecord = Record<string, unknown> | null;

/** Ignores records inside another record, because their text comes from users and could imitate a record. */
export const findRecordById = (
  value: unknown,
  idField: 'templateId' | 'connectionId' | 'code',
  id: string,
): FoundRecord => {
  if (!isRecord(value)) return null;
  if (!Array.isArray(value) && Object.hasOwn(value, idField)) return value[idField] === id ? value : null;
  for (const part of Object.values(value)) {
    const found = findRecordById(part, idField, id);
    if (found) return found;
  }
  return null;
};

const getContextRecord = (context: Record<string, unknown>): FoundRecord => {
  const { record } = context;
  return isRecord(record) ? record : null;
};

const formatRecordTitle = (record: FoundRecord, id: string): Wording => {
  const name = record?.['name'] ?? record?.['title'];
  return typeof name === 'string' && name !== '' ? name : createMessage('values.unknownId', { id });
};

const describeConnectionState = (connected: unknown): Message => {
  if (typeof connected !== 'boolean') return createMessage('prompts.connectedUnknown');
  return createMessage(connected ? 'prompts.connected' : 'prompts.notConnected');
};

const createFactOrUnknown = (key: 'marketAccountId' | 'missing', value: unknown, names: IdNames): PromptFact[] => {
  const says = createMessage('values.unknown');
  return typeof value === 'string'
    ? createRecordFacts('account', { [key]: value }, names)
    : [{ namespace: 'account', key, ...createFieldLabel([key]), value: formatEnglishMessage(says), says }];
};

const disconnectMarket: PromptDefinition<'disconnectMarket'> = {
  gather: async (_input, reads) => {
    const { connected, marketplaceId, account } = await reads.plain('readMarketStatus');
    const marketAccountId = toRecordOrEmpty(account)['marketAccountId'];
    return { context: { connected: connected ?? null, site: marketplaceId ?? null, marketAccountId } };
  },
  render: ({ subject: { context }, names }) => {
    const account = createFactOrUnknown('marketAccountId', context['marketAccountId'], names);
    return {
      act: createMessage('prompts.offMarket'),
      consequence: createMessage('prompts.offMarketMeans'),
      yes: createMessage('prompts.offMarketYes'),
      undo: createMessage('prompts.offMarketUndo'),
      title: describeConnectionState(context['connected']),
      mainFact: account[0]?.says ?? null,
      facts: [...account, ...createRecordFacts('account', { marketplaceId: context['site'] }, names)],
    };
  },
};

/** Shows the service's sentences, and a code only if there is no sentence. */
const createMissingRequirementFacts = (missing: unknown): PromptFact[] => {
  if (missing === null) return createFactOrUnknown('missing', missing, noIdNames);
  const values: unknown[] = Array.isArray(missing) ? missing : [missing];
  return createRecordFacts('account', { missing: values.map((value) => getMessageSentence(value) ?? value) }).map(
    (fact) => ({
      ...fact,
      ...createFactLabel('missing'),
    }),
  );
};

const getMessageSentence = (value: unknown): string | null => {
  const sentence = isRecord(value) ? value['message'] : null;
  return typeof sentence === 'string' && sentence !== '' ? sentence : null;
};

const acknowledgeReadiness: PromptDefinition<'acknowledgeReadiness'> = {
  gather: async (_input, reads) => {
    const { missing } = await reads.plain('readMarketStatus');
    return { context: { missing: missing ?? null } };
  },
  render: ({ subject: { context } }) => {
    const missing = createMissingRequirementFacts(context['missing']);
    return {
      act: createMessage('prompts.readiness'),
      consequence: createMessage('prompts.readinessMeans'),
      yes: createMessage('prompts.readinessYes'),
      undo: createMessage('prompts.readinessUndo'),
      title: createMessage('prompts.readinessOf'),
      mainFact: missing[0] ? formatFactLine(missing[0]) : null,
      facts: missing,
    };
  },
};

const bootstrapPolicies: PromptDefinition<'bootstrapPolicies'> = {
  gather: async () => ({}),
  render: () => ({
    act: createMessage('prompts.policies'),
    consequence: createMessage('prompts.policiesMean'),
    yes: createMessage('prompts.policiesYes'),
    undo: createMessage('prompts.policiesUndo'),
  }),
};

const updateSellerDefaults: PromptDefinition<'updateSellerDefaults'> = {
  gather: async (_input, reads) => ({ context: { record: await reads.plain('readSellerDefaults') } }),
  render: ({ subject: { context } }) => ({
    act: createMessage('prompts.defaults'),
    consequence: createMessage('prompts.defaultsMean'),
    yes: createMessage('prompts.defaultsYes'),
    undo: againMessage,
    before: getContextRecord(context),
    currency: null,
  }),
};

const createTemplate: PromptDefinition<'createTemplate'> = {
  gather: async () => ({}),
  render: ({ input: { body } }) => ({
    act: createMessage('prompts.newTemplate'),
    mainFact: formatQuotedLine(body['name']),
    consequence: createMessage('prompts.newTemplateMeans'),
    yes: createMessage('prompts.newTemplateYes'),
    undo: createMessage('prompts.newTemplateUndo'),
  }),
};

const gatherTemplate = async ({ params }: { params: { templateId: string } }, reads: Reads) => ({
  context: { record: findRecordById(await reads.plain('listTemplates'), 'templateId', params.templateId) },
});

const updateTemplate: PromptDefinition<'updateTemplate'> = {
  gather: gatherTemplate,
  render: ({ input: { params }, subject: { context } }) => ({
    act: createMessage('prompts.template'),
    consequence: createMessage('prompts.templateMeans'),
    yes: createMessage('prompts.templateYes'),
    undo: againMessage,
    title: formatRecordTitle(getContextRecord(context), params.templateId),
    before: getContextRecord(context),
  }),
};

const deleteTemplate: PromptDefinition<'deleteTemplate'> = {
  gather: gatherTemplate,
  render: ({ input: { params }, subject: { context }, names }) => ({
    act: createMessage('prompts.noTemplate'),
    consequence: createMessage('prompts.noTemplateMeans'),
    yes: createMessage('prompts.noTemplateYes'),
    title: formatRecordTitle(getContextRecord(context), params.templateId),
    facts: createRecordFacts('templates', getContextRecord(context), names),
  }),
};

const deleteConnection: PromptDefinition<'deleteConnection'> = {
  gather: async ({ params }, reads) => {
    const record = findRecordById(await reads.plain('listConnections'), 'connectionId', params.connectionId);
    return { context: { record } };
  },
  render: ({ input: { params }, subject: { context }, names }) => ({
    act: createMessage('prompts.offConnection'),
    consequence: createMessage('prompts.offConnectionMeans', {
      channel: formatIdName('channel', params.channelId, names),
    }),
    yes: createMessage('prompts.offConnectionYes'),
    mainFact: formatIdName('channel', params.channelId, names),
    undo: createMessage('prompts.offConnectionUndo'),
    title: formatRecordTitle(getContextRecord(context), params.connectionId),
    facts: createRecordFacts('account', getContextRecord(context), names),
  }),
};

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
