import { isPlainRecord } from '../../../contract/index.ts';
import { core, formatEnglish, formatEnglishMoney } from '../../../i18n/english.ts';
import { type Message, message, type TextName } from '../../../i18n/message.ts';
import type { Change } from '../../storage/tables/approvalRecord.ts';
import { canonical } from '../../base/json.ts';
import { leavesOf, pathKey } from '../subject.ts';

/** A site as it stands after "on", in the person's language; one that nobody knows stays as it is. */
export const siteName = (site: string): Message | string =>
  Object.hasOwn(core.sites, site) ? { key: `sites.${site}` } : site;

/** The site that is named, or "this site" where none is. */
export const siteOr = (site: string | null | undefined): Message | string =>
  site ? siteName(site) : message('prompts.thisSite');

/** A site by its country; one that nobody knows stays as it is. */
const siteCountry = (site: string): Message | string =>
  Object.hasOwn(core.siteNames, site) ? { key: `siteNames.${site}` } : site;

/** A value as a person reads it; `says` where it is in words of ours. */
export type ValueText = { text: string; says?: Message | undefined };

const ours = (says: Message): ValueText => ({ text: formatEnglish(says), says });

const isCode = (text: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(text);

/** A code that nobody knows as words: VERY_OLD is "Very old". */
const codeWords = (code: string): string => {
  const words = code.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A name of ours for a fact or a field. */
export const ownLabel = (name: TextName<'facts'>): { label: string; labelSays: Message } => ({
  label: core.facts[name],
  labelSays: { key: `facts.${name}` },
});

/** An amount as the value of a fact. */
export const amount = (minor: number, currency: string | null): Message =>
  message('values.amount', { amount: { minor, currency } });

const codeFields = /(^|\.)(condition|format)$/;
const siteFields = /(^|\.)(marketplaceId|targetMarketplaceId)$/;
const moneyFields = /(^|\.)price$|Cents$|Minor$/;
const postages: Readonly<Record<string, Message>> = {
  flat: message('values.postageFlat'),
  calculated: message('values.postageCalculated'),
};

const stringText = (field: string, value: string): ValueText => {
  if (value === '') return ours(message('values.empty'));
  const site = siteFields.test(field) ? siteCountry(value) : value;
  if (typeof site !== 'string') return ours(site);
  if (/(^|\.)postage$/.test(field) && Object.hasOwn(postages, value))
    return ours(postages[value] ?? message('values.empty'));
  if (!codeFields.test(field)) return { text: value };
  // Only a code is one of our words; anything else that is as it came could pass for them.
  if (!isCode(value)) return { text: value };
  return Object.hasOwn(core.values, value) ? ours({ key: `values.${value}` }) : { text: codeWords(value) };
};

const isPlainNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && /^[a-z]\w*$/.test(one));

/** A leaf in words; codes and amounts only where the field has them, as anything else is somebody's own words. */
export const valueText = (field: string, value: unknown, currency: string | null): ValueText => {
  if (value === undefined) return { text: '' };
  if (typeof value === 'boolean') return ours(message(value ? 'values.true' : 'values.false'));
  if (typeof value === 'string') return stringText(field, value);
  if (typeof value === 'number' && moneyFields.test(field) && Number.isSafeInteger(value))
    return { text: formatEnglishMoney(value, currency), says: amount(value, currency) };
  // Ids that can be nothing else; the act names the channels as the service does.
  if (field === 'channels' && isPlainNames(value)) return { text: value.join(', ') };
  return { text: canonical(value) };
};

/** What is sent for a field: an empty or missing value says what it takes away. */
const sentText = (field: string, before: unknown, after: unknown, currency: string | null): ValueText => {
  if (after === null) return ours(message('values.removes'));
  if (typeof after === 'object' && Object.keys(after).length === 0) return ours(message('values.removesAll'));
  if (after === undefined && before !== undefined) return ours(message('values.removes'));
  return valueText(field, after, currency);
};

/** The name of a field is ours where the table has exactly this path; any other is shown as it came. */
export const isOwnField = (path: readonly string[]): boolean =>
  path.every((name) => /^[a-z]\w*$/i.test(name)) &&
  /^[a-z]/.test(path[0] ?? '') &&
  Object.hasOwn(core.labels, path.join('.'));

const change = (path: string[], before: unknown, after: unknown, currency: string | null): Change => {
  const label = path.join('.');
  const [was, is] = [valueText(label, before ?? undefined, currency), sentText(label, before, after, currency)];
  return {
    key: pathKey(path),
    label,
    before: was.text,
    after: is.text,
    ...(isOwnField(path) ? {} : { foreign: true }),
    ...(was.says || is.says ? { says: { before: was.says, after: is.says } } : {}),
  };
};

/**
 * Every leaf that a body sends, before and after, nested ones by their path: nothing is sent that is not shown. What a
 * nested object leaves out is shown as taken away, as it takes the place of the whole.
 */
export const changesIn = (
  before: unknown,
  body: unknown,
  currency: string | null = null,
  path: string[] = [],
): Change[] => {
  if (!isPlainRecord(body)) return body === undefined ? [] : [change(path, before, body, currency)];
  const was = isPlainRecord(before) ? before : {};
  const gone = path.length === 0 ? [] : Object.keys(was).filter((field) => !Object.hasOwn(body, field));
  const own = Object.keys(body).length === 0 && path.length > 0 ? [change(path, undefined, body, currency)] : [];
  return [
    ...own,
    ...Object.entries(body).flatMap(([field, after]) =>
      changesIn(Object.hasOwn(was, field) ? was[field] : undefined, after, currency, [...path, field]),
    ),
    ...gone
      .flatMap((field) => leavesOf(was[field], [...path, field]))
      .map((leaf) => change(leaf.path, leaf.value, undefined, currency)),
  ];
};
