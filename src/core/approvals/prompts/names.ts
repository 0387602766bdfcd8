import * as z from 'zod';
import { channelNameIn, marketChannel, policiesIn, type AnsweredPolicy } from '../../../contract/index.ts';
import { message, type Message } from '../../../i18n/message.ts';
import { canonical, isRecord } from '../../base/json.ts';
import { isTransient } from '../../service/serviceError.ts';
import type { Listing } from '../../../contract/index.ts';
import { leavesOf } from '../subject.ts';
import { quotedWhole } from './quotes.ts';
import { idKindOf, idKinds, type IdKind, type Names } from './ids.ts';
import { policySays } from './policies.ts';
import type { Subject } from '../../storage/tables/approvalRecord.ts';
import type { Reads } from './prompt.ts';

/** The service's name of the record with that id; records with equal names are numbered. */
const idName = z.object({
  kind: z.enum(idKinds),
  id: z.string(),
  name: z.string().nullable(),
  record: z.record(z.string(), z.unknown()).optional(),
  twin: z.object({ at: z.number(), of: z.number() }).optional(),
});
export type IdName = z.infer<typeof idName>;

const stored = z.array(idName).catch([]);

const numbered = (says: Message, { twin }: IdName): Message =>
  twin ? message('values.numbered', { name: says, at: twin.at, of: twin.of }) : says;

/** Names extras by the asker that may use them; the asker is empty for the person. */
const extrasSays = (asker: string): Message =>
  message('values.approvedBefore', { name: asker === '' ? message('values.you') : quotedWhole(asker) });

const saysOf = (found: IdName): Message | null => {
  const { record, name } = found;
  if (found.kind === 'extras' && name !== null) return extrasSays(name);
  const says = record ? policySays(record) : name === null ? null : quotedWhole(name);
  return says && numbered(says, found);
};

/** Returns names that need no read: the marketplace channel, the connected person, and the listing of the request. */
const ownName = (
  kind: IdKind,
  id: string,
  { account, listing }: Pick<Subject, 'account' | 'listing'>,
): Message | null => {
  if (kind === 'channel' && id === marketChannel) return message('values.marketChannel');
  if (kind === 'person' && account.endsWith(`#${id}`)) return message('values.you');
  return kind === 'listing' && listing?.['listingId'] === id ? message('values.thisListing') : null;
};

export const namesIn = (subject: Pick<Subject, 'account' | 'listing' | 'context'>): Names => {
  const all = stored.parse(subject.context['names']);
  return {
    find: (kind, id) => {
      const own = ownName(kind, id, subject);
      if (own) return own;
      const found = all.find((one) => one.kind === kind && one.id === id);
      return found ? saysOf(found) : null;
    },
  };
};

type Found = { id: string; name: string | null; record?: Record<string, unknown> };

/** Numbers records that differ only in their ids. */
const numberTwins = (kind: IdKind, all: readonly Found[]): IdName[] => {
  const looks = ({ id, name, record }: Found): string =>
    canonical(record ? Object.entries(record).filter(([, value]) => value !== id) : name);
  return all.map((one) => {
    const same = all.filter((other) => looks(other) === looks(one));
    const twin = same.length > 1 ? { twin: { at: same.indexOf(one) + 1, of: same.length } } : {};
    return { kind, ...one, ...twin };
  });
};
export const policyNames = (policies: readonly AnsweredPolicy[]): IdName[] =>
  numberTwins(
    'policy',
    policies.map(({ policyId, name, record }) => ({ id: policyId, name, record })),
  );

const nameIn = (record: Record<string, unknown>): string | null => {
  const found = ['name', 'title', 'label', 'username', 'categoryName'].map((field) => record[field]);
  return found.find((name): name is string => typeof name === 'string' && name !== '') ?? null;
};

/** Returns the records with this id field at any depth of an answer. Records nested inside such a record are ignored. */
const recordsIn = (answer: unknown, idField: string): Found[] => {
  if (!isRecord(answer)) return [];
  const id = Array.isArray(answer) ? undefined : answer[idField];
  if (typeof id === 'string') return [{ id, name: nameIn(answer) }];
  return Object.values(answer).flatMap((part) => recordsIn(part, idField));
};

export const accountNames = (answer: unknown): IdName[] => numberTwins('account', recordsIn(answer, 'marketAccountId'));

/** If the service refuses a read of names, they stay unknown. A read without an answer is retried. */
const orUnknown = (error: unknown): null => {
  if (isTransient(error)) throw error;
  return null;
};

type Asked = { site: string | null; ids: readonly string[]; listing: Listing | undefined };

/** Returns the name of a category from its listing, else from the site's list of categories. */
const categoryName = async (id: string, { site, listing }: Omit<Asked, 'ids'>, reads: Reads): Promise<IdName[]> => {
  if (listing?.categoryId === id && typeof listing.categoryName === 'string' && listing.categoryName !== '')
    return [{ kind: 'category', id, name: listing.categoryName }];
  const answer = await reads.category(id, site).catch(orUnknown);
  const found = recordsIn(answer, 'categoryId').find((one) => one.id === id);
  return found?.name == null ? [] : [{ kind: 'category', id, name: found.name }];
};

const nothing = async (): Promise<IdName[]> => [];

const readersOf: Readonly<Record<IdKind, (reads: Reads, asked: Asked) => Promise<IdName[]>>> = {
  policy: async (reads, { site }) => policyNames(policiesIn(await reads.policies(site).catch(orUnknown))),
  account: async (reads) => accountNames(await reads.plain('listMarketAccounts').catch(orUnknown)),
  template: async (reads) =>
    numberTwins('template', recordsIn(await reads.plain('listTemplates').catch(orUnknown), 'templateId')),
  channel: async (reads, { ids }) => {
    const list = await reads.plain('listChannels').catch(orUnknown);
    const named = ids.map((id) => ({ id, name: channelNameIn(list, id) }));
    return numberTwins(
      'channel',
      // The id replaces a missing channel name.
      named.filter(({ id, name }) => name !== id),
    );
  },
  connection: async (reads) =>
    numberTwins('connection', recordsIn(await reads.plain('listConnections').catch(orUnknown), 'connectionId')),
  category: async (reads, { ids, site, listing }) =>
    (await Promise.all(ids.map((id) => categoryName(id, { site, listing }, reads)))).flat(),
  extras: async (reads) =>
    reads.extras().map(({ extrasApprovalId, asker }) => ({ kind: 'extras', id: extrasApprovalId, name: asker })),
  person: nothing,
  listing: nothing,
};

const idsIn = (values: readonly unknown[]): Map<IdKind, string[]> => {
  const found = values
    .flatMap((value) => leavesOf(value))
    .flatMap(({ path, value }) => {
      const kind = idKindOf(path.join('.'));
      return kind === null || typeof value !== 'string' || value === '' ? [] : [{ kind, id: value }];
    });
  return new Map(
    [...new Set(found.map(({ kind }) => kind))].map((kind) => [
      kind,
      [...new Set(found.filter((one) => one.kind === kind).map(({ id }) => id))],
    ]),
  );
};

/** Reads the names of the ids in these values. Ids without a name at the service are omitted. */
export const gatherNames = async (
  values: readonly unknown[],
  about: { site: string | null; listing: Listing | undefined },
  reads: Reads,
): Promise<IdName[]> => {
  const named = await Promise.all(
    [...idsIn(values)].map(async ([kind, ids]) =>
      // The marketplace channel has a name of the companion's own.
      ids.every((id) => kind === 'channel' && id === marketChannel)
        ? []
        : (await readersOf[kind](reads, { ...about, ids })).filter(({ id }) => ids.includes(id)),
    ),
  );
  return named.flat();
};
