import type { AnswerOf } from '../../../../contract/index.ts';
import { titleLimitFields } from '../../../../contract/limits.ts';
import {
  isUnknownRecord,
  getNumberField,
  getRecordList,
  getTextField,
  type UnknownRecord,
} from '../../api/unknownRecord.ts';

export type MarketStatus = AnswerOf<'readMarketStatus'>;

export type MissingStep = { about: 'connection' | 'policies' | 'location' | 'other'; sentence: string };

const parseMissingTopic = (code: string): MissingStep['about'] => {
  if (/polic/i.test(code)) return 'policies';
  if (/location|postal|address/i.test(code)) return 'location';
  return /connect|token/i.test(code) ? 'connection' : 'other';
};

/** The service sends codes, sentences or records. */
export const parseMissingSteps = (status: MarketStatus): MissingStep[] =>
  (status.missing ?? []).flatMap((entry) => {
    const record = isUnknownRecord(entry) ? entry : { message: entry };
    const sentence = getTextField(record, 'message', 'reason', 'text', 'title', 'code');
    return sentence === null
      ? []
      : [{ about: parseMissingTopic(getTextField(record, 'code', 'field') ?? sentence), sentence }];
  });

export type ChannelAccount = { id: string; name: string; more: UnknownRecord };

const parseAccountRecord = (record: UnknownRecord, ...ids: string[]): ChannelAccount[] => {
  const id = getTextField(record, ...ids, 'id');
  return id === null ? [] : [{ id, name: getTextField(record, 'name', 'username', 'label') ?? id, more: record }];
};

export const parseMarketAccounts = (answer: unknown): ChannelAccount[] =>
  getRecordList(answer, 'accounts').flatMap((record) => parseAccountRecord(record, 'marketAccountId', 'accountId'));

export type ChannelConnection = ChannelAccount & { channelId: string };

export const parseChannelConnections = (answer: unknown): ChannelConnection[] =>
  getRecordList(answer, 'connections').flatMap((record) => {
    const channelId = getTextField(record, 'channelId', 'channel');
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
  getRecordList(answer, 'channels').flatMap((record) => {
    const channelId = getTextField(record, 'channelId', 'id');
    if (channelId === null) return [];
    return [
      {
        channelId,
        name: getTextField(record, 'name', 'label', 'title') ?? channelId,
        photos: getNumberField(record, 'maxPhotos', 'photoCap', 'photoLimit', 'maxImages'),
        title: getNumberField(record, ...titleLimitFields),
        // The marketplace has its own sign-in.
        own: channelId === 'market',
      },
    ];
  });

export type QuotaBudget = { quota: string; remaining: number; limit: number | null };

/** The service sends the budgets as a list or as a record. */
export const parseQuotaBudgets = (answer: unknown): QuotaBudget[] => {
  const list = getRecordList(answer, 'budgets');
  const named = Object.entries(
    isUnknownRecord(answer) ? (isUnknownRecord(answer['budgets']) ? answer['budgets'] : answer) : {},
  );
  const records = list.length > 0 ? list : named.map(([quota, value]) => ({ quota, ...toBudgetRecord(value) }));
  return records.flatMap((record: UnknownRecord) => {
    const quota = getTextField(record, 'quota', 'name');
    const remaining = getNumberField(record, 'remaining', 'left');
    return quota === null || remaining === null
      ? []
      : [{ quota, remaining, limit: getNumberField(record, 'limit', 'max') }];
  });
};
const toBudgetRecord = (value: unknown): UnknownRecord => (isUnknownRecord(value) ? value : { remaining: value });

export type ListingTemplate = { templateId: string; name: string; more: UnknownRecord };

export const parseListingTemplates = (answer: unknown): ListingTemplate[] =>
  getRecordList(answer, 'templates').flatMap((record) => {
    const templateId = getTextField(record, 'templateId', 'id');
    return templateId === null
      ? []
      : [{ templateId, name: getTextField(record, 'name', 'title') ?? templateId, more: record }];
  });

/** `field` is null if the problem is not about a single field. */
export type CheckProblem = { field: string | null; message: string };

export const parseCheckProblems = (answer: unknown): CheckProblem[] => {
  const records = isUnknownRecord(answer) && Array.isArray(answer['errors']) ? getRecordList(answer, 'errors') : [];
  const found = [...records, ...(records.length > 0 ? [] : getRecordList(answer, 'problems'))].flatMap((record) => {
    const message = getTextField(record, 'message', 'error', 'reason', 'code');
    return message === null ? [] : [{ field: getTextField(record, 'field', 'path'), message }];
  });
  const refused = isUnknownRecord(answer) && answer['valid'] === false && found.length === 0;
  return refused ? [{ field: null, message: getTextField(answer, 'message', 'error') ?? '' }] : found;
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
  const named = getTextField(answer, 'authUrl', 'connectUrl', 'url');
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
  const value = isUnknownRecord(given) ? getTextField(given, 'value', 'id', 'name', 'label') : null;
  return value === null || !isUnknownRecord(given)
    ? []
    : [{ value, label: getTextField(given, 'label', 'name', 'value', 'id') ?? value }];
};

export const parsePublishOptions = (answer: unknown): PublishOption[] =>
  getRecordList(answer, 'options').flatMap((record) => {
    const key = getTextField(record, 'name', 'key', 'id');
    const values = record['values'] ?? record['choices'] ?? record['options'];
    if (key === null) return [];
    const name = getTextField(record, 'label', 'title') ?? key;
    return [
      {
        key,
        name,
        values: Array.isArray(values) ? values.flatMap(parseOptionValue) : [],
        usual: getTextField(record, 'default'),
      },
    ];
  });
