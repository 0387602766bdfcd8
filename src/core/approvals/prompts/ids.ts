import { createMessage, type Message } from '../../../i18n/message.ts';
import { policyFields, policyKinds } from '../../../contract/index.ts';

export const idKinds = [
  'policy',
  'account',
  'template',
  'channel',
  'connection',
  'category',
  'person',
  'listing',
  'extras',
] as const;
export type IdKind = (typeof idKinds)[number];

const fieldsByKind: Readonly<Record<IdKind, readonly string[]>> = {
  policy: [...policyKinds.map((kind) => policyFields[kind]), 'policyId', 'policyIds', 'policyIdsOfUnknownKind'],
  account: ['marketAccountId', 'accountIds'],
  template: ['templateId'],
  channel: ['channelId', 'channels'],
  connection: ['connectionId'],
  category: ['categoryId'],
  person: ['userId'],
  listing: ['listingId'],
  extras: ['extrasApprovalId'],
};
const kindsByField = new Map(idKinds.flatMap((kind) => fieldsByKind[kind].map((field) => [field, kind] as const)));

/** Returns which kind of id a field contains; null if the kind is unknown. `path` is dotted. */
export const findIdKind = (path: string): IdKind | null => {
  // The last segment of a list item's path is its index.
  const [last = ''] = path
    .replace(/\.\d+$/, '')
    .split('.')
    .slice(-1);
  return kindsByField.get(last) ?? null;
};

export type IdNames = { find: (kind: IdKind, id: string) => Message | null };

export const noIdNames: IdNames = { find: () => null };

/** Returns the name of an id, or a text with the id if the name is unknown. */
export const formatIdName = (kind: IdKind, id: string, names: IdNames): Message =>
  names.find(kind, id) ?? createMessage('values.unknownId', { id });
