import * as z from 'zod';
import { getChannelName, marketChannel, listAnsweredPolicies, type AnsweredPolicy } from '../../../contract/index.ts';
import { createMessage, type Message } from '../../../i18n/message.ts';
import { toCanonicalJson, isRecord } from '../../base/json.ts';
import { isTransientError, ServiceError } from '../../service/serviceError.ts';
import type { Listing } from '../../../contract/index.ts';
import { listJsonLeaves } from '../subject.ts';
import { quoteForeignText } from '../../base/messages.ts';
import { findIdKind, idKinds, type IdKind, type IdNames } from './ids.ts';
import { describePolicy } from './policies.ts';
import type { Subject } from '../../storage/tables/approvalRecord.ts';
import type { Reads } from './promptDefinition.ts';

/** The service's name for an id. `twin` numbers records with equal names. */
const idNameShape = z.object({
  kind: z.enum(idKinds),
  id: z.string(),
  name: z.string().nullable(),
  record: z.record(z.string(), z.unknown()).optional(),
  twin: z.object({ at: z.number(), of: z.number() }).optional(),
});
export type IdName = z.infer<typeof idNameShape>;

const storedNamesShape = z.array(idNameShape).catch([]);

const formatNumberedName = (says: Message, { twin }: IdName): Message =>
  twin ? createMessage('values.numbered', { name: says, at: twin.at, of: twin.of }) : says;

/** An empty asker means the person. */
const formatExtrasName = (asker: string): Message =>
  createMessage('values.approvedBefore', {
    name: asker === '' ? createMessage('values.you') : quoteForeignText(asker),
  });

const formatStoredName = (found: IdName): Message | null => {
  const { record, name } = found;
  if (found.kind === 'extras' && name !== null) return formatExtrasName(name);
  const says = record ? describePolicy(record) : name === null ? null : quoteForeignText(name);
  return says && formatNumberedName(says, found);
};

/** Returns a name that the companion knows without a read. */
const findNameWithoutRead = (
  kind: IdKind,
  id: string,
  { account, listing }: Pick<Subject, 'account' | 'listing'>,
): Message | null => {
  if (kind === 'channel' && id === marketChannel) return createMessage('values.marketChannel');
  if (kind === 'person' && account.endsWith(`#${id}`)) return createMessage('values.you');
  return kind === 'listing' && listing?.['listingId'] === id ? createMessage('values.thisListing') : null;
};

export const createBoundIdNames = (subject: Pick<Subject, 'account' | 'listing' | 'context'>): IdNames => {
  const storedNames = storedNamesShape.parse(subject.context['names']);
  return {
    find: (kind, id) => {
      const own = findNameWithoutRead(kind, id, subject);
      if (own) return own;
      const found = storedNames.find((storedName) => storedName.kind === kind && storedName.id === id);
      return found ? formatStoredName(found) : null;
    },
  };
};

type FoundRecord = { id: string; name: string | null; record?: Record<string, unknown> };

const numberEqualNames = (kind: IdKind, records: readonly FoundRecord[]): IdName[] => {
  const createVisibleKey = ({ id, name, record }: FoundRecord): string =>
    toCanonicalJson(record ? Object.entries(record).filter(([, value]) => value !== id) : name);
  return records.map((current) => {
    const same = records.filter((other) => createVisibleKey(other) === createVisibleKey(current));
    const twin = same.length > 1 ? { twin: { at: same.indexOf(current) + 1, of: same.length } } : {};
    return { kind, ...current, ...twin };
  });
};
export const listPolicyNames = (policies: readonly AnsweredPolicy[]): IdName[] =>
  numberEqualNames(
    'policy',
    policies.map(({ policyId, name, record }) => ({ id: policyId, name, record })),
  );

const getRecordName = (record: Record<string, unknown>): string | null => {
  const found = ['name', 'title', 'label', 'username', 'categoryName'].map((field) => record[field]);
  return found.find((name): name is string => typeof name === 'string' && name !== '') ?? null;
};

/** Finds records at any depth of an answer, but not inside another found record. */
const findRecordsById = (answer: unknown, idField: string): FoundRecord[] => {
  if (!isRecord(answer)) return [];
  const id = Array.isArray(answer) ? undefined : answer[idField];
  if (typeof id === 'string') return [{ id, name: getRecordName(answer) }];
  return Object.values(answer).flatMap((part) => findRecordsById(part, idField));
};

export const listAccountNames = (answer: unknown): IdName[] =>
  numberEqualNames('account', findRecordsById(answer, 'marketAccountId'));

/** Returns null if the service refused the read. Throws any other error again, because then the name is not known yet. */
export const returnNullIfRefused = (error: unknown): null => {
  if (error instanceof ServiceError && !isTransientError(error)) return null;
  throw error;
};

type NameQuery = { site: string | null; ids: readonly string[]; listing: Listing | undefined };

const readCategoryName = async (
  id: string,
  { site, listing }: Omit<NameQuery, 'ids'>,
  reads: Reads,
): Promise<IdName[]> => {
  if (listing?.categoryId === id && typeof listing.categoryName === 'string' && listing.categoryName !== '')
    return [{ kind: 'category', id, name: listing.categoryName }];
  const answer = await reads.category(id, site).catch(returnNullIfRefused);
  const found = findRecordsById(answer, 'categoryId').find((category) => category.id === id);
  return found?.name == null ? [] : [{ kind: 'category', id, name: found.name }];
};

const readNoNames = async (): Promise<IdName[]> => [];

const readersByKind: Readonly<Record<IdKind, (reads: Reads, asked: NameQuery) => Promise<IdName[]>>> = {
  policy: async (reads, { site }) =>
    listPolicyNames(listAnsweredPolicies(await reads.policies(site).catch(returnNullIfRefused))),
  account: async (reads) => listAccountNames(await reads.plain('listMarketAccounts').catch(returnNullIfRefused)),
  template: async (reads) =>
    numberEqualNames(
      'template',
      findRecordsById(await reads.plain('listTemplates').catch(returnNullIfRefused), 'templateId'),
    ),
  channel: async (reads, { ids }) => {
    const list = await reads.plain('listChannels').catch(returnNullIfRefused);
    const named = ids.map((id) => ({ id, name: getChannelName(list, id) }));
    return numberEqualNames(
      'channel',
      // A channel without a name has its id as the name, so it is omitted.
      named.filter(({ id, name }) => name !== id),
    );
  },
  connection: async (reads) =>
    numberEqualNames(
      'connection',
      findRecordsById(await reads.plain('listConnections').catch(returnNullIfRefused), 'connectionId'),
    ),
  category: async (reads, { ids, site, listing }) =>
    (await Promise.all(ids.map((id) => readCategoryName(id, { site, listing }, reads)))).flat(),
  extras: async (reads) =>
    reads.extras().map(({ extrasApprovalId, asker }) => ({ kind: 'extras', id: extrasApprovalId, name: asker })),
  person: readNoNames,
  listing: readNoNames,
};

const collectIdsByKind = (values: readonly unknown[]): Map<IdKind, string[]> => {
  const found = values
    .flatMap((value) => listJsonLeaves(value))
    .flatMap(({ path, value }) => {
      const kind = findIdKind(path.join('.'));
      return kind === null || typeof value !== 'string' || value === '' ? [] : [{ kind, id: value }];
    });
  return new Map(
    [...new Set(found.map(({ kind }) => kind))].map((kind) => [
      kind,
      [...new Set(found.filter((entry) => entry.kind === kind).map(({ id }) => id))],
    ]),
  );
};

/** Reads the names of the ids in these values. Ids without a name are omitted. */
export const gatherIdNames = async (
  values: readonly unknown[],
  about: { site: string | null; listing: Listing | undefined },
  reads: Reads,
): Promise<IdName[]> => {
  const named = await Promise.all(
    [...collectIdsByKind(values)].map(async ([kind, ids]) =>
      // The companion has its own name for the marketplace channel, so no read is needed.
      ids.every((id) => kind === 'channel' && id === marketChannel)
        ? []
        : (await readersByKind[kind](reads, { ...about, ids })).filter(({ id }) => ids.includes(id)),
    ),
  );
  return named.flat();
};
