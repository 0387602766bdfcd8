import type { AnswerOf } from '../../../../contract/index.ts';
import { titleLengths } from '../../../../contract/limits.ts';
import { isUnknownRecord, numberOf, recordsIn, textOf, type UnknownRecord } from '../../api/unknownRecord.ts';

export type Status = AnswerOf<'readMarketStatus'>;

/** One thing that prevents publishing: its topic and the service's sentence. */
export type Missing = { about: 'connection' | 'policies' | 'location' | 'other'; sentence: string };

const aboutOf = (code: string): Missing['about'] => {
  if (/polic/i.test(code)) return 'policies';
  if (/location|postal|address/i.test(code)) return 'location';
  return /connect|token/i.test(code) ? 'connection' : 'other';
};

/** Reads what is missing; the service sends codes, sentences or records with either. */
export const missingIn = (status: Status): Missing[] =>
  (status.missing ?? []).flatMap((one) => {
    const record = isUnknownRecord(one) ? one : { message: one };
    const sentence = textOf(record, 'message', 'reason', 'text', 'title', 'code');
    return sentence === null ? [] : [{ about: aboutOf(textOf(record, 'code', 'field') ?? sentence), sentence }];
  });

export type Account = { id: string; name: string; more: UnknownRecord };

const accountOf = (record: UnknownRecord, ...ids: string[]): Account[] => {
  const id = textOf(record, ...ids, 'id');
  return id === null ? [] : [{ id, name: textOf(record, 'name', 'username', 'label') ?? id, more: record }];
};

export const accountsIn = (answer: unknown): Account[] =>
  recordsIn(answer, 'accounts').flatMap((record) => accountOf(record, 'marketAccountId', 'accountId'));

export type Connection = Account & { channelId: string };

export const connectionsIn = (answer: unknown): Connection[] =>
  recordsIn(answer, 'connections').flatMap((record) => {
    const channelId = textOf(record, 'channelId', 'channel');
    return channelId === null ? [] : accountOf(record, 'connectionId').map((account) => ({ ...account, channelId }));
  });

export type Channel = { channelId: string; name: string; photos: number | null; title: number | null; own: boolean };

export const channelsIn = (answer: unknown): Channel[] =>
  recordsIn(answer, 'channels').flatMap((record) => {
    const channelId = textOf(record, 'channelId', 'id');
    if (channelId === null) return [];
    return [
      {
        channelId,
        name: textOf(record, 'name', 'label', 'title') ?? channelId,
        photos: numberOf(record, 'maxPhotos', 'photoCap', 'photoLimit', 'maxImages'),
        title: numberOf(record, ...titleLengths),
        // The marketplace is connected by its own sign-in.
        own: channelId === 'market',
      },
    ];
  });

export type Budget = { quota: string; remaining: number; limit: number | null };

/** Reads budgets from a list or from a record by name. */
export const budgetsIn = (answer: unknown): Budget[] => {
  const list = recordsIn(answer, 'budgets');
  const named = Object.entries(
    isUnknownRecord(answer) ? (isUnknownRecord(answer['budgets']) ? answer['budgets'] : answer) : {},
  );
  const records = list.length > 0 ? list : named.map(([quota, value]) => ({ quota, ...asBudget(value) }));
  return records.flatMap((record: UnknownRecord) => {
    const quota = textOf(record, 'quota', 'name');
    const remaining = numberOf(record, 'remaining', 'left');
    return quota === null || remaining === null ? [] : [{ quota, remaining, limit: numberOf(record, 'limit', 'max') }];
  });
};
const asBudget = (value: unknown): UnknownRecord => (isUnknownRecord(value) ? value : { remaining: value });

export type Template = { templateId: string; name: string; more: UnknownRecord };

export const templatesIn = (answer: unknown): Template[] =>
  recordsIn(answer, 'templates').flatMap((record) => {
    const templateId = textOf(record, 'templateId', 'id');
    return templateId === null
      ? []
      : [{ templateId, name: textOf(record, 'name', 'title') ?? templateId, more: record }];
  });

/** One problem found by a check; `field` is null if it names no field. */
export type Found = { field: string | null; message: string };

export const foundIn = (answer: unknown): Found[] => {
  const records = isUnknownRecord(answer) && Array.isArray(answer['errors']) ? recordsIn(answer, 'errors') : [];
  const found = [...records, ...(records.length > 0 ? [] : recordsIn(answer, 'problems'))].flatMap((record) => {
    const message = textOf(record, 'message', 'error', 'reason', 'code');
    return message === null ? [] : [{ field: textOf(record, 'field', 'path'), message }];
  });
  const refused = isUnknownRecord(answer) && answer['valid'] === false && found.length === 0;
  return refused ? [{ field: null, message: textOf(answer, 'message', 'error') ?? '' }] : found;
};

/** Reads the defaults, which some answers wrap in a field of their own. */
export const defaultsIn = (answer: unknown): UnknownRecord => {
  if (!isUnknownRecord(answer)) return {};
  const inner = answer['sellerDefaults'] ?? answer['defaults'];
  return isUnknownRecord(inner) ? inner : answer;
};

/** Reads the URL that the person has to open; null if there is none. */
export const pageIn = (answer: unknown): string | null => {
  if (!isUnknownRecord(answer)) return null;
  const named = textOf(answer, 'authUrl', 'connectUrl', 'url');
  return (
    [named, ...Object.values(answer)].find((one): one is string => typeof one === 'string' && /^https?:/.test(one)) ??
    null
  );
};

/** An option value: the service's name and the label. */
type OptionValue = { value: string; label: string };
/** A publish option of a channel; `key` is the service's name. */
export type Option = { key: string; name: string; values: OptionValue[]; usual: string | null };

const valueOf = (given: unknown): OptionValue[] => {
  if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean')
    return [{ value: String(given), label: String(given) }];
  const value = isUnknownRecord(given) ? textOf(given, 'value', 'id', 'name', 'label') : null;
  return value === null || !isUnknownRecord(given)
    ? []
    : [{ value, label: textOf(given, 'label', 'name', 'value', 'id') ?? value }];
};

export const optionsIn = (answer: unknown): Option[] =>
  recordsIn(answer, 'options').flatMap((record) => {
    const key = textOf(record, 'name', 'key', 'id');
    const values = record['values'] ?? record['choices'] ?? record['options'];
    if (key === null) return [];
    const name = textOf(record, 'label', 'title') ?? key;
    return [
      { key, name, values: Array.isArray(values) ? values.flatMap(valueOf) : [], usual: textOf(record, 'default') },
    ];
  });
