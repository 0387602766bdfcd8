import { formatCents } from '../../components/text/format.ts';
import { isUnknownRecord, numberOf, recordsIn, textOf, type UnknownRecord } from '../../api/unknownRecord.ts';
import { skipToken, useMutation, useQuery, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { InputOf, RouteName } from '../../../../contract/index.ts';
import { perform, read, type Performed } from '../../api/call.ts';
import { usePrompts } from '../approvals/useQuestions.ts';

/** A plan as reported by the service; null where the service reports no value. */
export type Plan = {
  code: string;
  name: string;
  priceCents: number | null;
  currency: string | null;
  listings: number | null;
  photos: number | null;
  extraCents: number | null;
  trialDays: number | null;
};

const planOf = (record: UnknownRecord): Plan[] => {
  const code = textOf(record, 'code', 'tier', 'planId');
  if (code === null) return [];
  return [
    {
      code,
      name: textOf(record, 'name') ?? code,
      priceCents: numberOf(record, 'priceCents', 'priceMinor'),
      currency: textOf(record, 'currency'),
      listings: numberOf(record, 'listingsPerMonth', 'listings'),
      photos: numberOf(record, 'photosPerListing', 'photos'),
      extraCents: numberOf(record, 'extraRateCents'),
      trialDays: numberOf(record, 'trialDays'),
    },
  ];
};

/** Parses the answer of GET /agent/plans; keeps the order of the service. */
const plansIn = (answer: unknown): Plan[] => recordsIn(answer, 'plans').flatMap(planOf);

/** The product catalogue: whether this person is eligible for a trial, and the credit packs as text. */
export type Products = { mayTry: boolean; packs: string[] };

const productsIn = (answer: unknown): Products => {
  const of = isUnknownRecord(answer) ? answer : {};
  const packs = Array.isArray(of['credits']) ? of['credits'].filter(isUnknownRecord) : [];
  return {
    mayTry: of['trialEligible'] === true,
    packs: packs.flatMap((pack) => {
      const [name, cents] = [textOf(pack, 'name'), numberOf(pack, 'priceCents')];
      return name === null || cents === null
        ? []
        : [`${name} ${formatCents(cents, textOf(pack, 'currency') ?? 'USD')}`];
    }),
  };
};

/** An invoice; `at` in ms since 1970, `cents` in hundredths of its currency. */
export type Invoice = { at: number | null; text: string; cents: number | null; currency: string | null };

const timeOf = (record: UnknownRecord, ...names: string[]): number | null => {
  const at = Date.parse(textOf(record, ...names) ?? '');
  return Number.isNaN(at) ? null : at;
};

export const invoicesIn = (answer: unknown): Invoice[] =>
  recordsIn(answer, 'invoices').map((record) => ({
    at: timeOf(record, 'at', 'createdAt', 'date'),
    text: textOf(record, 'text', 'description', 'title') ?? '',
    cents: numberOf(record, 'amountCents', 'totalCents'),
    currency: textOf(record, 'currency'),
  }));

export type PromoCode = { valid: boolean; percentOff: number | null };

/** Parses the answer about a promo code; null if it does not say whether the code is valid. */
export const promoIn = (answer: unknown): PromoCode | null =>
  isUnknownRecord(answer) && typeof answer['valid'] === 'boolean'
    ? { valid: answer['valid'], percentOff: numberOf(answer, 'percentOff') }
    : null;

const referralIn = (answer: unknown): { link: string | null; joined: number | null } =>
  isUnknownRecord(answer)
    ? { link: textOf(answer, 'link', 'url'), joined: numberOf(answer, 'joined', 'joinCount', 'count') }
    : { link: null, joined: null };

/** An assistant that is connected at the service. No answer contains the key itself. */
export type Key = { keyId: string; name: string | null; how: string | null; usedAt: number | null; current: boolean };

const keysIn = (answer: unknown): Key[] =>
  recordsIn(answer, 'keys').map((record, at) => ({
    keyId: textOf(record, 'keyId', 'id') ?? String(at),
    name: textOf(record, 'label', 'name', 'agentLabel'),
    how: textOf(record, 'connectedBy', 'madeBy', 'source'),
    usedAt: timeOf(record, 'lastUsedAt'),
    current: record['current'] === true,
  }));

/** The person as reported by the service; null where the service reports no value. */
type User = {
  name: string;
  language: string | null;
  autoDelist: boolean | null;
  /** Null without a picture; `dataUrl` is null unless the picture is embedded: no external picture is loaded. */
  avatar: { dataUrl: string | null } | null;
};

/** The person, and the user id that changes are sent to. */
export type Given = { user: User; userId: string };

const avatarIn = (avatar: string | null): User['avatar'] =>
  avatar === null || avatar === ''
    ? null
    : { dataUrl: /^data:image\/(jpeg|png|webp|gif);base64,[\w+/=]+$/.test(avatar) ? avatar : null };

const userIn = (answer: unknown): User => {
  const of = isUnknownRecord(answer) ? answer : {};
  const autoDelist = of['autoDelistDefault'];
  return {
    name: textOf(of, 'name') ?? '',
    language: textOf(of, 'language'),
    avatar: avatarIn(textOf(of, 'avatar')),
    autoDelist: typeof autoDelist === 'boolean' ? autoDelist : null,
  };
};

/** Parses the boolean preferences of an answer; ignores all other entries. */
const switchesIn = (answer: unknown): [name: string, on: boolean][] =>
  isUnknownRecord(answer)
    ? Object.entries(answer).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
    : [];

export const usePlans = () =>
  useQuery({ queryKey: ['account', 'plans'], queryFn: () => read('listPlans', {}), select: plansIn });

export const useProducts = () =>
  useQuery({ queryKey: ['account', 'products'], queryFn: () => read('listProducts', {}), select: productsIn });

/** The referral link, and how many people joined with it. */
export const useReferral = () =>
  useQuery({ queryKey: ['account', 'referral'], queryFn: () => read('readReferrals', {}), select: referralIn });

/** The assistants that hold a key at the service, including this companion. */
export const useKeysAtService = () =>
  useQuery({ queryKey: ['account', 'keys'], queryFn: () => read('listKeys', {}), select: keysIn });

const useUserId = (): string | null =>
  useQuery({ queryKey: ['account', 'who'], queryFn: () => read('readAccount', {}) }).data?.userId ?? null;

const userKey = ['account', 'user'] as const;

/** The person's name, language, avatar and automatic delisting. Disabled until the user id is known. */
export const useUser = () => {
  const userId = useUserId();
  const user = useQuery({
    queryKey: userKey,
    queryFn: userId === null ? skipToken : () => read('readUser', { params: { userId } }),
    select: userIn,
  });
  return { userId, ...user };
};

export type MessageChannel = 'email' | 'push';

/** Reads and saves which messages the person receives on a channel. */
export const useMessagePreferences = (way: MessageChannel) => {
  const userId = useUserId();
  const readIt =
    way === 'push'
      ? () => read('readPushPreferences', {})
      : userId === null
        ? skipToken
        : () => read('readUserNotificationPreferences', { params: { userId } });
  const client = useQueryClient();
  const queryKey = ['account', 'told', way];
  const save = useMutation({
    mutationFn: (body: Record<string, boolean>) =>
      way === 'push'
        ? read('updatePushPreferences', { body })
        : read('updateUserNotificationPreferences', { params: { userId: userId ?? '' }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  return { ...useQuery({ queryKey, queryFn: readIt, select: switchesIn }), save };
};

/** Routes of the account that may need an approval. */
type Asked = Extract<RouteName, 'updateUser' | 'createCheckoutToken' | 'createPortal' | 'revokeCurrentKey'>;
type Request = { [N in Asked]: { route: N; input: InputOf<N> } }[Asked];

export type AccountRequest = UseMutationResult<Performed<Asked>, Error, Request>;

/** Requests a change of the account. Opens the prompt if it needs an approval; otherwise the change is done at once. */
export const useAskAccount = (): AccountRequest => {
  const { show } = usePrompts();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ route, input }: Request) => perform(route, input),
    onSuccess: async (performed) => {
      await client.invalidateQueries({ queryKey: performed.state === 'pending' ? ['approvals'] : userKey });
      if (performed.state === 'pending') show(performed.approvalId);
    },
  });
};
