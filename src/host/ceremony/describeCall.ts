import { findOwnEntry } from '../../contract/untrusted.ts';
import { activityByRoute } from '../../core/assistants/activity.ts';
import type { RouteName } from '../../contract/index.ts';
import { toRecordOrEmpty } from '../../core/base/json.ts';
import type { DrawnCeremony } from '../../core/presence/ceremonies.ts';
import { languages } from '../../i18n/languages.ts';
import type { MessageKey } from '../../i18n/message.ts';
import type { CallName } from '../../ipc/calls.ts';
import type { CeremonyView } from '../../ipc/ceremonyPage.ts';
import { formatCodePoint } from '../../text/escapes.ts';
import { toPlainLine } from '../noticeText.ts';
import type { CeremonyTexts } from './ceremonyTexts.ts';

type CallText = {
  act: MessageKey;
  /** States what the call changes, if no field of the input shows it. */
  line?: MessageKey;
  /** Further facts about the call, besides the fields of its input. */
  subjects?: readonly ('account' | 'service' | 'file' | 'protection')[];
  /** Fields that the text of the act already contains. */
  hidden?: readonly string[];
};

/** The texts of the protected calls. Approvals have texts of their own. */
export const callTexts = {
  'app.settings': { act: 'ceremony.changesSettings' },
  'app.pause': { act: 'ceremony.resumesWork', hidden: ['paused'] },
  'app.forgetEverything': {
    act: 'ceremony.forgetsEverything',
    line: 'ceremony.forgetsEverythingLine',
    subjects: ['account'],
  },
  'backups.restore': { act: 'ceremony.restoresBackup' },
  'backups.repairSeen': { act: 'ceremony.acknowledgesRepair', line: 'ceremony.acknowledgesRepairLine' },
  'connect.practice': {
    act: 'ceremony.connectsPractice',
    line: 'ceremony.connectsPracticeLine',
    subjects: ['service'],
  },
  'connect.verify': { act: 'ceremony.connectsAccount', subjects: ['service'] },
  'connect.key': { act: 'ceremony.connectsKey', line: 'ceremony.connectsKeyLine', subjects: ['service'] },
  'connect.clipboard': { act: 'ceremony.connectsKey', line: 'ceremony.connectsClipboardLine', subjects: ['service'] },
  'connect.forget': { act: 'ceremony.disconnects', subjects: ['account', 'service'] },
  'history.acknowledge': { act: 'ceremony.acknowledgesAlarm', line: 'ceremony.acknowledgesAlarmLine' },
  'assistants.accept': { act: 'ceremony.acceptsAssistant' },
  'assistants.change': { act: 'ceremony.changesAssistant' },
  'clients.connect': { act: 'ceremony.connectsClient', subjects: ['file'] },
  'service.perform': { act: 'ceremony.opensMarketSignIn', subjects: ['account', 'service'] },
  'offers.open': { act: 'ceremony.opensOffer' },
  'proofs.register': { act: 'ceremony.addsProof' },
  'proofs.remove': { act: 'ceremony.removesProof', subjects: ['protection'] },
  'proofs.relax': { act: 'ceremony.relaxesProof' },
} as const satisfies Partial<Record<CallName, CallText>>;

/** The pages of the service that open without a prompt. */
const pageActs: Partial<Record<RouteName, MessageKey>> = {
  readMarketAuthUrl: 'ceremony.opensMarketSignIn',
  connectChannel: 'ceremony.opensChannelPage',
};

/** Returns the text of the act of exactly this input; undefined for an unknown call. */
const findCallText = (call: string, input: unknown): CallText | undefined => {
  const { assistantId, paused, route, ...others } = toRecordOrEmpty(input);
  const isOnlyResume = assistantId !== undefined && paused === false && Object.keys(others).length === 0;
  if (call === 'assistants.change' && isOnlyResume) return { act: 'ceremony.resumesAssistant', hidden: ['paused'] };
  const activity = findOwnEntry<(typeof activityByRoute)[RouteName]>(activityByRoute, String(route));
  if (call === 'service.perform' && activity !== undefined)
    return { ...callTexts[call], act: findOwnEntry<MessageKey>(pageActs, String(route)) ?? `activity.${activity}` };
  return findOwnEntry<CallText>(callTexts, call);
};

/** Other fields appear with their own name, so that the page hides nothing that is signed. */
const fieldMessages = {
  pairingId: 'ceremony.assistant',
  assistantId: 'ceremony.assistant',
  credentialId: 'ceremony.passkey',
  offerId: 'ceremony.page',
  clientId: 'ceremony.program',
  channelId: 'labels.channelId',
  account: 'ceremony.account',
  service: 'ceremony.service',
  file: 'ceremony.file',
  protection: 'ceremony.afterwards',
  input: 'ceremony.details',
  kind: 'ceremony.kind',
  label: 'labels.name',
  name: 'labels.name',
  email: 'labels.email',
  scope: 'ceremony.rights',
  folders: 'ceremony.folders',
  publishesPerDay: 'ceremony.publishesPerDay',
  moneyCentsPerDay: 'ceremony.moneyPerDay',
  touches: 'ceremony.touches',
  shelf: 'ceremony.shelf',
  paused: 'ceremony.paused',
  minutes: 'ceremony.relaxedMinutes',
  shop: 'ceremony.shop',
  fresh: 'ceremony.newShop',
  watchFolder: 'ceremony.watchFolder',
  approvalMinutes: 'ceremony.approvalMinutes',
  publishFromNotificationMinor: 'ceremony.publishFromNotification',
  notify: 'ceremony.notifications',
  'notify.approvals': 'ceremony.notifyApprovals',
  'notify.written': 'ceremony.notifyWritten',
  'notify.sales': 'ceremony.notifySales',
  'notify.connection': 'ceremony.notifyConnection',
  language: 'labels.language',
  theme: 'ceremony.theme',
  tourSeen: 'ceremony.tourSeen',
  longEdgePx: 'ceremony.photoSize',
  photoFormat: 'ceremony.photoFormat',
  groupingReview: 'ceremony.groupingReview',
  deferDrops: 'ceremony.deferDrops',
  useFolderTexts: 'ceremony.useFolderTexts',
  marketplaceId: 'labels.marketplaceId',
  templateId: 'labels.templateId',
  watchTemplateId: 'ceremony.watchTemplate',
  marketAccountId: 'labels.marketAccountId',
  skuPattern: 'ceremony.skuPattern',
  folderPattern: 'ceremony.folderPattern',
} as const satisfies Record<string, MessageKey>;

/**
 * The texts for the known values of these fields. The field is part of the key, because a name can be the same word as
 * a value.
 */
const valueMessages = {
  'protection.none': 'ceremony.nothingProtects',
  'kind.passkey': 'ceremony.passkey',
  'kind.system': 'ceremony.systemDialog',
  'kind.pin': 'ceremony.pin',
  'scope.read': 'ceremony.mayRead',
  'scope.draft': 'ceremony.mayDraft',
  'scope.ask': 'ceremony.mayAsk',
  'touches.all': 'ceremony.touchesAll',
  'touches.own': 'ceremony.touchesOwn',
  'shop.stocked': 'ceremony.stocked',
  'shop.empty': 'ceremony.empty',
  'theme.light': 'ceremony.light',
  'theme.dark': 'ceremony.dark',
  'theme.system': 'ceremony.asSystem',
  'language.system': 'ceremony.asSystem',
} as const satisfies Record<string, MessageKey>;
const limitFields = new Set(['publishesPerDay', 'moneyCentsPerDay']);
/**
 * Fields that the page omits: ids of this run, which mean nothing to a person; the route, which the act names; and the
 * label sheet, which needs no proof.
 */
const hiddenFields = new Set(['planId', 'challengeId', 'waitId', 'route', 'labels']);

const maxForeignChars = 4_000;
/** Makes hidden characters visible, which could make a text look like another one. */
export const toForeignLine = (text: string): string => toPlainLine(text, maxForeignChars);

/** Every space counts in a path, so only single spaces between words stay as they are. */
const unusualSpace = /[^\S ]|^ | (?= |$)/gu;
const toForeignValue = (text: string): string => toForeignLine(text.replace(unusualSpace, formatCodePoint));

type DrawnCall = Extract<DrawnCeremony, { of: 'call' }>;
type Context = { texts: CeremonyTexts; subjects: DrawnCall['subjects'] };

const formatKey = ({ format }: CeremonyTexts, key: MessageKey): string => (format as (key: MessageKey) => string)(key);

const formatLabel = (texts: CeremonyTexts, field: string): string => {
  const message = findOwnEntry<MessageKey>(fieldMessages, field);
  return message === undefined ? toForeignValue(field) : formatKey(texts, message);
};

const formatText = ({ texts, subjects }: Context, field: string, value: string): string => {
  const message = findOwnEntry<MessageKey>(valueMessages, `${field}.${value}`);
  if (message !== undefined) return formatKey(texts, message);
  const language = field === 'language' ? findOwnEntry<string>(languages, value) : undefined;
  return toForeignValue(language ?? findOwnEntry(subjects, field) ?? value);
};

const formatValue = (context: Context, field: string, value: unknown): string => {
  const { format, formatMoney } = context.texts;
  if (value === null) return format(limitFields.has(field) ? 'ceremony.noLimit' : 'ceremony.none');
  if (typeof value === 'boolean') return format(value ? 'values.true' : 'values.false');
  if (typeof value === 'string') return formatText(context, field, value);
  if (typeof value === 'number')
    return /cents|minor/i.test(field) ? formatMoney(value, 'USD') : format('values.number', { count: value });
  if (Array.isArray(value))
    return value.length === 0
      ? format('ceremony.none')
      : value.map((part: unknown) => formatValue(context, field, part)).join('\n');
  return Object.entries(toRecordOrEmpty(value))
    .map(([name, part]) => {
      const label = formatLabel(
        context.texts,
        Object.hasOwn(fieldMessages, `${field}.${name}`) ? `${field}.${name}` : name,
      );
      return `${label}: ${formatValue(context, name, part)}`;
    })
    .join('\n');
};

const listInputFacts = (context: Context, input: unknown): CeremonyView['facts'] =>
  Object.entries(toRecordOrEmpty(input)).flatMap(([field, value]) => {
    if (value === undefined || value === '' || hiddenFields.has(field)) return [];
    if (field === 'access') return listInputFacts(context, value);
    if (field === 'credentialId' && value === null) return [];
    const text = formatValue(context, field, value);
    return text === '' ? [] : [{ label: formatLabel(context.texts, field), value: text }];
  });

const omitFields = (input: unknown, hidden: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(toRecordOrEmpty(input)).filter(([name]) => !hidden.includes(name)));

/** Describes a protected call: its act, every field of its input, and what it is about. */
export const describeCall = (
  { call, input, subjects }: DrawnCall,
  texts: CeremonyTexts,
): Pick<CeremonyView, 'rows' | 'facts'> => {
  const text = findCallText(call, input);
  const act = text === undefined ? call : formatKey(texts, text.act);
  const about = (text?.subjects ?? []).flatMap((name) => {
    const value = findOwnEntry(subjects, name);
    return value === undefined
      ? []
      : [{ label: formatLabel(texts, name), value: formatText({ texts, subjects }, name, value) }];
  });
  const lines = text?.line === undefined ? [] : [formatKey(texts, text.line)];
  return {
    rows: [{ act, title: null, lines, photo: null }],
    facts: [...listInputFacts({ texts, subjects }, omitFields(input, text?.hidden ?? [])), ...about],
  };
};
