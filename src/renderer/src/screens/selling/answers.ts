import type { AnswerOf } from '../../../../contract/index.ts';
import { titleLimitFields } from '../../../../contract/limits.ts';
import {
  isUnknownRecord,
  findNumberField,
  listRecords,
  findTextField,
  type UnknownRecord,
} from '../../api/unknownRecord.ts';

export type MarketStatus = AnswerOf<'readMarketStatus'>;

export type MissingStep = { about: 'connection' | 'policies' | 'location' | 'other'; sentence: string };

const parseMissingStepTopic = (code: string): MissingStep['about'] => {
  if (/polic/i.test(code)) return 'policies';
  if (/location|postal|address/i.test(code)) return 'location';
  return /connect|token/i.test(code) ? 'connection' : 'other';
};

/** The service sends each missing step as a code, a sentence or a record. */
export const parseMissingSteps = (status: MarketStatus): MissingStep[] =>
  (status.missing ?? []).flatMap((entry) => {
    const record = isUnknownRecord(entry) ? entry : { message: entry };
    const sentence = findTextField(record, 'message', 'reason', 'text', 'title', 'code');
    return sentence === null
      ? []
      : [{ about: parseMissingStepTopic(findTextField(record, 'code', 'field') ?? sentence), sentence }];
  });

export type ChannelAccount = { id: string; name: string; more: UnknownRecord };

const parseAccountRecord = (record: UnknownRecord, ...ids: string[]): ChannelAccount[] => {
  const id = findTextField(record, ...ids, 'id');
  return id === null ? [] : [{ id, name: findTextField(record, 'name', 'username', 'label') ?? id, more: record }];
};

export const parseMarketAccounts = (answer: unknown): ChannelAccount[] =>
  listRecords(answer, 'accounts').flatMap((record) => parseAccountRecord(record, 'marketAccountId', 'accountId'));

export type ChannelConnection = ChannelAccount & { channelId: string };

export const parseChannelConnections = (answer: unknown): ChannelConnection[] =>
  listRecords(answer, 'connections').flatMap((record) => {
    const channelId = findTextField(record, 'channelId', 'channel');
    return channelId === null
      ? []
      : parseAccountRecord(record, 'connectionId').map((account) => ({ ...account, channelId }));
  });

export type SellingChannel = {
  channelId: string;
  name: string;
  photos: number | null;
  title: number | null;
  own: boolean;
};

export const parseSellingChannels = (answer: unknown): SellingChannel[] =>
  listRecords(answer, 'channels').flatMap((record) => {
    const channelId = findTextField(record, 'channelId', 'id');
    if (channelId === null) return [];
    return [
      {
        channelId,
        name: findTextField(record, 'name', 'label', 'title') ?? channelId,
        photos: findNumberField(record, 'maxPhotos', 'photoCap', 'photoLimit', 'maxImages'),
        title: findNumberField(record, ...titleLimitFields),
        // Only the marketplace has a sign-in of its own.
        own: channelId === 'market',
      },
    ];
  });

export type QuotaBudget = { quota: string; remaining: number; limit: number | null };

/** The service sends the budgets as a list or as a record. */
export const parseQuotaBudgets = (answer: unknown): QuotaBudget[] => {
  const list = listRecords(answer, 'budgets');
  const named = Object.entries(
    isUnknownRecord(answer) ? (isUnknownRecord(answer['budgets']) ? answer['budgets'] : answer) : {},
  );
  const records = list.length > 0 ? list : named.map(([quota, value]) => ({ quota, ...toBudgetRecord(value) }));
  return records.flatMap((record: UnknownRecord) => {
    const quota = findTextField(record, 'quota', 'name');
    const remaining = findNumberField(record, 'remaining', 'left');
    return quota === null || remaining === null
      ? []
      : [{ quota, remaining, limit: findNumberField(record, 'limit', 'max') }];
  });
};
const toBudgetRecord = (value: unknown): UnknownRecord => (isUnknownRecord(value) ? value : { remaining: value });

export type ListingTemplate = { templateId: string; name: string; more: UnknownRecord };

export const parseListingTemplates = (answer: unknown): ListingTemplate[] =>
  listRecords(answer, 'templates').flatMap((record) => {
    const templateId = findTextField(record, 'templateId', 'id');
    return templateId === null
      ? []
      : [{ templateId, name: findTextField(record, 'name', 'title') ?? templateId, more: record }];
  });

/** `field` is null if the problem is not about a single field. */
export type CheckProblem = { field: string | null; message: string };

export const parseCheckProblems = (answer: unknown): CheckProblem[] => {
  const records = isUnknownRecord(answer) && Array.isArray(answer['errors']) ? listRecords(answer, 'errors') : [];
  const found = [...records, ...(records.length > 0 ? [] : listRecords(answer, 'problems'))].flatMap((record) => {
    const message = findTextField(record, 'message', 'error', 'reason', 'code');
    return message === null ? [] : [{ field: findTextField(record, 'field', 'path'), message }];
  });
  const refused = isUnknownRecord(answer) && answer['valid'] === false && found.length === 0;
  return refused ? [{ field: null, message: findTextField(answer, 'message', 'error') ?? '' }] : found;
};

/** Some answers contain the defaults in a nested field. */
export const parseSellerDefaults = (answer: unknown): UnknownRecord => {
  if (!isUnknownRecord(answer)) return {};
  const inner = answer['sellerDefaults'] ?? answer['defaults'];
  return isUnknownRecord(inner) ? inner : answer;
};

/** Returns the address that the person must open, or null. */
export const parsePageUrl = (answer: unknown): string | null => {
  if (!isUnknownRecord(answer)) return null;
  const named = findTextField(answer, 'authUrl', 'connectUrl', 'url');
  return (
    [named, ...Object.values(answer)].find(
      (candidate): candidate is string => typeof candidate === 'string' && /^https?:/.test(candidate),
    ) ?? null
  );
};

type OptionValue = { value: string; label: string };
export type PublishOption = { key: string; name: string; values: OptionValue[]; usual: string | null };

const parseOptionValue = (given: unknown): OptionValue[] => {
  if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean')
    return [{ value: String(given), label: String(given) }];
  const value = isUnknownRecord(given) ? findTextField(given, 'value', 'id', 'name', 'label') : null;
  return value === null || !isUnknownRecord(given)
    ? []
    : [{ value, label: findTextField(given, 'label', 'name', 'value', 'id') ?? value }];
};

export const parsePublishOptions = (answer: unknown): PublishOption[] =>
  listRecords(answer, 'options').flatMap((record) => {
    const key = findTextField(record, 'name', 'key', 'id');
    const values = record['values'] ?? record['choices'] ?? record['options'];
    if (key === null) return [];
    const name = findTextField(record, 'label', 'title') ?? key;
    return [
      {
        key,
        name,
        values: Array.isArray(values) ? values.flatMap(parseOptionValue) : [],
        usual: findTextField(record, 'default'),
      },
    ];
  });
