import { message, type Message } from '../../../i18n/message.ts';
import { policyFields, policyKinds } from '../../../contract/index.ts';

/** What an id can be of. */
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

const fieldsOf: Readonly<Record<IdKind, readonly string[]>> = {
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
const kindOf = new Map(idKinds.flatMap((kind) => fieldsOf[kind].map((field) => [field, kind] as const)));

/** What the id in a field is of; null where the companion has no name for it. `path` is the field's, with dots. */
export const idKindOf = (path: string): IdKind | null => {
  // An item of a list stands under its number.
  const [last = ''] = path
    .replace(/\.\d+$/, '')
    .split('.')
    .slice(-1);
  return kindOf.get(last) ?? null;
};

/** Names of ids, as a subject is bound to them. */
export type Names = { find: (kind: IdKind, id: string) => Message | null };

export const noNames: Names = { find: () => null };

/** An id in words: its name, or that it is unknown, with the id as it is sent. */
export const idSays = (kind: IdKind, id: string, names: Names): Message =>
  names.find(kind, id) ?? message('values.unknownId', { id });
