import { useServiceQuery } from '../../api/useCall.ts';
import { formatCents } from '../../components/text/format.ts';
import {
  isUnknownRecord,
  findNumberField,
  listRecords,
  findTextField,
  type UnknownRecord,
} from '../../api/unknownRecord.ts';
import { skipToken, useMutation, useQuery, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { InputOf, RouteName } from '../../../../contract/index.ts';
import { performRequest, readServiceAnswer, type RouteOutcome } from '../../api/call.ts';
import { useRequestFollowUp } from '../approvals/usePrompts.ts';

/** A field is null if the service reports no value. */
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

const parsePlanRecord = (record: UnknownRecord): Plan[] => {
  const code = findTextField(record, 'code', 'tier', 'planId');
  if (code === null) return [];
  return [
    {
      code,
      name: findTextField(record, 'name') ?? code,
      priceCents: findNumberField(record, 'priceCents', 'priceMinor'),
      currency: findTextField(record, 'currency'),
      listings: findNumberField(record, 'listingsPerMonth', 'listings'),
      photos: findNumberField(record, 'photosPerListing', 'photos'),
      extraCents: findNumberField(record, 'extraRateCents'),
      trialDays: findNumberField(record, 'trialDays'),
    },
  ];
};

const parsePlanList = (answer: unknown): Plan[] => listRecords(answer, 'plans').flatMap(parsePlanRecord);

/** `mayTry`: the person can start a trial. `packs`: the credit packs as text. */
export type ProductCatalogue = { mayTry: boolean; packs: string[] };

const parseProductCatalogue = (answer: unknown): ProductCatalogue => {
  const of = isUnknownRecord(answer) ? answer : {};
  const packs = Array.isArray(of['credits']) ? of['credits'].filter(isUnknownRecord) : [];
  return {
    mayTry: of['trialEligible'] === true,
    packs: packs.flatMap((pack) => {
      const [name, cents] = [findTextField(pack, 'name'), findNumberField(pack, 'priceCents')];
      return name === null || cents === null
        ? []
        : [`${name} ${formatCents(cents, findTextField(pack, 'currency') ?? 'USD')}`];
    }),
  };
};

/** `at` is in ms since 1970. `cents` is in hundredths of the currency. */
export type Invoice = { at: number | null; text: string; cents: number | null; currency: string | null };

const parseRecordTime = (record: UnknownRecord, ...names: string[]): number | null => {
  const at = Date.parse(findTextField(record, ...names) ?? '');
  return Number.isNaN(at) ? null : at;
};

export const parseInvoiceList = (answer: unknown): Invoice[] =>
  listRecords(answer, 'invoices').map((record) => ({
    at: parseRecordTime(record, 'at', 'createdAt', 'date'),
    text: findTextField(record, 'text', 'description', 'title') ?? '',
    cents: findNumberField(record, 'amountCents', 'totalCents'),
    currency: findTextField(record, 'currency'),
  }));

export type PromoCode = { valid: boolean; percentOff: number | null };

/** Returns null if the answer does not show whether the code is valid. */
export const parsePromoCode = (answer: unknown): PromoCode | null =>
  isUnknownRecord(answer) && typeof answer['valid'] === 'boolean'
    ? { valid: answer['valid'], percentOff: findNumberField(answer, 'percentOff') }
    : null;

const parseReferralAnswer = (answer: unknown): { link: string | null; joined: number | null } =>
  isUnknownRecord(answer)
    ? { link: findTextField(answer, 'link', 'url'), joined: findNumberField(answer, 'joined', 'joinCount', 'count') }
    : { link: null, joined: null };

export type ServiceKey = {
  keyId: string;
  name: string | null;
  how: string | null;
  usedAt: number | null;
  current: boolean;
};

const parseServiceKeys = (answer: unknown): ServiceKey[] =>
  listRecords(answer, 'keys').map((record, at) => ({
    keyId: findTextField(record, 'keyId', 'id') ?? String(at),
    name: findTextField(record, 'label', 'name', 'agentLabel'),
    how: findTextField(record, 'connectedBy', 'madeBy', 'source'),
    usedAt: parseRecordTime(record, 'lastUsedAt'),
    current: record['current'] === true,
  }));

type User = {
  name: string;
  language: string | null;
  autoDelist: boolean | null;
  /**
   * Null if the person has no picture. `dataUrl` is null for a web address, because the window loads no external
   * pictures.
   */
  avatar: { dataUrl: string | null } | null;
};

export type UserFieldProps = { user: User; userId: string };

const parseAvatarUrl = (avatar: string | null): User['avatar'] =>
  avatar === null || avatar === ''
    ? null
    : { dataUrl: /^data:image\/(jpeg|png|webp|gif);base64,[\w+/=]+$/.test(avatar) ? avatar : null };

const parseUserAnswer = (answer: unknown): User => {
  const of = isUnknownRecord(answer) ? answer : {};
  const autoDelist = of['autoDelistDefault'];
  return {
    name: findTextField(of, 'name') ?? '',
    language: findTextField(of, 'language'),
    avatar: parseAvatarUrl(findTextField(of, 'avatar')),
    autoDelist: typeof autoDelist === 'boolean' ? autoDelist : null,
  };
};

const parsePreferenceSwitches = (answer: unknown): [name: string, on: boolean][] =>
  isUnknownRecord(answer)
    ? Object.entries(answer).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
    : [];

export const useAccountPlans = () => useServiceQuery(['account', 'plans'], 'listPlans', {}, { select: parsePlanList });

export const useAccountProducts = () =>
  useServiceQuery(['account', 'products'], 'listProducts', {}, { select: parseProductCatalogue });

export const useReferralLink = () =>
  useServiceQuery(['account', 'referral'], 'readReferrals', {}, { select: parseReferralAnswer });

export const useServiceKeys = () => useServiceQuery(['account', 'keys'], 'listKeys', {}, { select: parseServiceKeys });

const useAccountUserId = (): string | null =>
  useServiceQuery(['account', 'who'], 'readAccount', {}).data?.userId ?? null;

const userKey = ['account', 'user'] as const;

export const useAccountUser = () => {
  const userId = useAccountUserId();
  const user = useServiceQuery(userKey, 'readUser', userId === null ? null : { params: { userId } }, {
    select: parseUserAnswer,
  });
  return { userId, ...user };
};

export type MessageChannel = 'email' | 'push';

export const useMessagePreferences = (way: MessageChannel) => {
  const userId = useAccountUserId();
  const readPreferences =
    way === 'push'
      ? () => readServiceAnswer('readPushPreferences', {})
      : userId === null
        ? skipToken
        : () => readServiceAnswer('readUserNotificationPreferences', { params: { userId } });
  const client = useQueryClient();
  const queryKey = ['account', 'told', way];
  const save = useMutation({
    mutationFn: (body: Record<string, boolean>) =>
      way === 'push'
        ? readServiceAnswer('updatePushPreferences', { body })
        : readServiceAnswer('updateUserNotificationPreferences', { params: { userId: userId ?? '' }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  return { ...useQuery({ queryKey, queryFn: readPreferences, select: parsePreferenceSwitches }), save };
};

type AccountChangeRoute = Extract<
  RouteName,
  'updateUser' | 'createCheckoutToken' | 'createPortal' | 'revokeCurrentKey'
>;
type AccountChange = { [N in AccountChangeRoute]: { route: N; input: InputOf<N> } }[AccountChangeRoute];

export type AccountRequestMutation = UseMutationResult<RouteOutcome<AccountChangeRoute>, Error, AccountChange>;

export const useAccountChangeRequest = (): AccountRequestMutation => {
  const followUp = useRequestFollowUp();
  return useMutation({
    mutationFn: ({ route, input }: AccountChange) => performRequest(route, input),
    onSuccess: (performed) => followUp(performed, userKey),
  });
};
