import { findOwnEntry } from '../../contract/untrusted.ts';
import { toRecordOrEmpty } from '../../core/base/json.ts';
import type { DrawnApproval, DrawnCeremony } from '../../core/presence/ceremonies.ts';
import type { Total } from '../../core/presence/challenge.ts';
import type { MessageKey } from '../../i18n/message.ts';
import type { CeremonyRow, CeremonyView } from '../../ipc/ceremonyPage.ts';
import type { CallName } from '../../ipc/calls.ts';
import { toPlainLine } from '../noticeText.ts';
import type { CeremonyCore } from './ceremonyCore.ts';
import type { CeremonyTexts } from './ceremonyTexts.ts';

/** What a protected call does. Approvals say it themselves. */
export const callMessages = {
  'app.settings': 'ceremony.changesSettings',
  'app.pause': 'ceremony.resumesWork',
  'app.forgetEverything': 'ceremony.forgetsEverything',
  'backups.restore': 'ceremony.restoresBackup',
  'backups.repairSeen': 'ceremony.acknowledgesRepair',
  'connect.practice': 'ceremony.connectsPractice',
  'connect.verify': 'ceremony.connectsAccount',
  'connect.key': 'ceremony.connectsKey',
  'connect.clipboard': 'ceremony.connectsKey',
  'connect.forget': 'ceremony.disconnects',
  'history.acknowledge': 'ceremony.acknowledgesAlarm',
  'assistants.accept': 'ceremony.acceptsAssistant',
  'assistants.change': 'ceremony.changesAssistant',
  'clients.connect': 'ceremony.connectsClient',
  'service.perform': 'ceremony.opensMarketSignIn',
  'offers.open': 'ceremony.opensOffer',
  'proofs.register': 'ceremony.addsProof',
  'proofs.remove': 'ceremony.removesProof',
  'proofs.relax': 'ceremony.relaxesProof',
} as const satisfies Partial<Record<CallName, MessageKey>>;

/** Other fields appear with their own name, so that the page hides nothing that is signed. */
const fieldMessages = {
  pairingId: 'ceremony.assistant',
  assistantId: 'ceremony.assistant',
  credentialId: 'ceremony.passkey',
  offerId: 'ceremony.page',
  clientId: 'ceremony.program',
  kind: 'ceremony.kind',
  label: 'labels.name',
  name: 'labels.name',
  email: 'labels.email',
  scope: 'ceremony.rights',
  folders: 'ceremony.folders',
  publishesPerDay: 'ceremony.publishesPerDay',
  moneyCentsPerDay: 'ceremony.moneyPerDay',
  touches: 'ceremony.touches',
  paused: 'ceremony.paused',
  watchFolder: 'ceremony.watchFolder',
  approvalMinutes: 'ceremony.approvalMinutes',
  publishFromNotificationMinor: 'ceremony.publishFromNotification',
  notify: 'ceremony.notifications',
  minutes: 'ceremony.relaxedMinutes',
} as const satisfies Record<string, MessageKey>;

const valueMessages = {
  passkey: 'ceremony.passkey',
  system: 'ceremony.systemDialog',
  pin: 'ceremony.pin',
  read: 'ceremony.mayRead',
  draft: 'ceremony.mayDraft',
  ask: 'ceremony.mayAsk',
  all: 'ceremony.touchesAll',
  own: 'ceremony.touchesOwn',
} as const satisfies Record<string, MessageKey>;
/** Only these fields have words as values; a name may be the same word. */
const wordFields = new Set(['kind', 'scope', 'touches']);
const limitFields = new Set(['publishesPerDay', 'moneyCentsPerDay']);
/** Ids of this run, which say nothing to a person. What they stand for has been shown before. */
const hiddenFields = new Set(['planId', 'challengeId', 'waitId']);

const maxForeignChars = 4_000;
/** Makes hidden characters visible, which could make a text look like another one. */
const toForeignLine = (text: string): string => toPlainLine(text, maxForeignChars);

type Context = { texts: CeremonyTexts; findName: CeremonyCore['findName'] };

const formatText = ({ texts, findName }: Context, field: string, value: string): string => {
  const message = wordFields.has(field) ? findOwnEntry(valueMessages, value) : undefined;
  return message === undefined ? toForeignLine(findName(field, value) ?? value) : texts.format(message);
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
    .map(([name, part]) => `${toForeignLine(name)}: ${formatValue(context, name, part)}`)
    .join('\n');
};

type Fact = CeremonyView['facts'][number];

const listInputFacts = (context: Context, input: unknown): Fact[] =>
  Object.entries(toRecordOrEmpty(input)).flatMap(([field, value]) => {
    if (value === undefined || value === '' || hiddenFields.has(field)) return [];
    if (field === 'access') return listInputFacts(context, value);
    if (field === 'credentialId' && value === null) return [];
    const label = findOwnEntry<MessageKey>(fieldMessages, field);
    return [
      {
        label: label === undefined ? field : (context.texts.format as (key: MessageKey) => string)(label),
        value: formatValue(context, field, value),
      },
    ];
  });

const formatTotal = ({ format, formatMoney }: CeremonyTexts, { amounts, unknown }: Total): string => {
  const parts = [
    ...amounts.map(({ currency, minor }) => formatMoney(minor, currency)),
    ...(unknown === 0 ? [] : [format('ceremony.feesUnknown', { count: unknown })]),
  ];
  return parts.length === 0 ? format('ceremony.noFee') : parts.join(' + ');
};

const formatAskers = ({ format }: CeremonyTexts, approvals: readonly DrawnApproval[]): string => {
  const names = approvals.map(({ asker }) =>
    asker.kind === 'person' ? format('values.you') : toForeignLine(asker.name),
  );
  return [...new Set(names)].join('\n');
};

const registrationHeadings = {
  passkey: 'ceremony.headingPasskey',
  system: 'ceremony.headingSystem',
  pin: 'ceremony.headingPin',
} as const;

/** Draws every value that the request sends or changes, because a program might have changed what the window shows. */
const listApprovalLines = (
  { format, translate }: CeremonyTexts,
  { mainFact, mainFactSays, changes, facts }: DrawnApproval,
): string[] => [
  ...(mainFact === null || changes.length > 0 ? [] : [translate(mainFactSays, mainFact)]),
  ...changes.map(({ label, labelSays, before, after, says }) => {
    const values = { before: translate(says?.before, before), after: translate(says?.after, after) };
    return `${translate(labelSays, label)}: ${format('values.changes', values)}`;
  }),
  ...facts.map(({ label, labelSays, value, says }) => `${translate(labelSays, label)}: ${translate(says, value)}`),
];

const describeApproval = (texts: CeremonyTexts, approval: DrawnApproval, photoPath: string): CeremonyRow => {
  const { act, actSays, title, photoUrl } = approval;
  return {
    act: texts.translate(actSays, act),
    title: title === null ? null : toForeignLine(title),
    lines: listApprovalLines(texts, approval).map(toForeignLine),
    photo: photoUrl === null ? null : photoPath,
  };
};

/** Describes what the person confirms. `photo` is the path of a picture on the page's server. */
export const describeCeremony = (
  drawn: DrawnCeremony,
  texts: CeremonyTexts,
  { findName, createPhotoPath }: { findName: CeremonyCore['findName']; createPhotoPath: (row: number) => string },
): CeremonyView => {
  const { format } = texts;
  if (drawn.of === 'approvals')
    return {
      heading: format('ceremony.heading'),
      rows: drawn.approvals.map((approval, row) => describeApproval(texts, approval, createPhotoPath(row))),
      facts: [
        { label: format('ceremony.total'), value: formatTotal(texts, drawn.total) },
        { label: format('ceremony.askedBy'), value: formatAskers(texts, drawn.approvals) },
      ],
    };
  if (drawn.of === 'call') {
    const message = findOwnEntry<MessageKey>(callMessages, drawn.call);
    const act = message === undefined ? drawn.call : (format as (key: MessageKey) => string)(message);
    return {
      heading: format('ceremony.heading'),
      rows: [{ act, title: null, lines: [], photo: null }],
      facts: listInputFacts({ texts, findName }, drawn.input),
    };
  }
  return {
    heading: format(registrationHeadings[drawn.kind]),
    rows: [],
    facts: drawn.label === '' ? [] : [{ label: format('labels.name'), value: toForeignLine(drawn.label) }],
  };
};
