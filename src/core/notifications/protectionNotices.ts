import * as z from 'zod';
import { formatNoticeTexts } from '../base/messages.ts';
import type { Notify } from '../base/ports.ts';
import { createMessage, type Message } from '../../i18n/message.ts';

type Facts = Record<string, unknown>;

const rowFacts = z.looseObject({
  assistantId: z.string().optional(),
  name: z.string().catch(''),
  isBuiltIn: z.boolean().optional(),
  widens: z.enum(['rights', 'folders']).nullish(),
  kind: z.enum(['passkey', 'system', 'pin']).catch('passkey'),
  why: z.string().optional(),
  format: z.string().optional(),
  approvalId: z.string().optional(),
});
type RowFacts = z.infer<typeof rowFacts>;

const widenedTexts = { rights: 'notices.rightsWidened', folders: 'notices.foldersAllowed' } as const;

const addedProofTexts = {
  passkey: 'notices.proofPasskeyAdded',
  system: 'notices.proofSystemAdded',
  pin: 'notices.proofPinAdded',
} as const;

/** The row of one exported receipt names its approval. */
const chooseExportText = ({ format, approvalId }: RowFacts) => {
  if (approvalId !== undefined) return 'notices.receiptExported';
  return format === 'receipts' ? 'notices.receiptsExported' : 'notices.historyExported';
};

/** The rows about weaker protection. A row without a title raises no notification. */
const titles: Readonly<Record<string, (facts: RowFacts) => Message | null>> = {
  'assistant.paired': ({ name, isBuiltIn }) => (isBuiltIn ? null : createMessage('notices.assistantPaired', { name })),
  'assistant.changed': ({ name, widens }) => (widens ? createMessage(widenedTexts[widens], { name }) : null),
  'assistant.resumed': ({ name }) => createMessage('notices.assistantResumed', { name }),
  'work.resumed': () => createMessage('notices.workResumed'),
  'settings.watch_folder_set': () => createMessage('notices.watchFolderSet'),
  'settings.answer_time_raised': () => createMessage('notices.answerTimeRaised'),
  'settings.notifications_off': () => createMessage('notices.notificationsOff'),
  'settings.ceiling_raised': () => createMessage('notices.ceilingRaised'),
  'history.exported': (facts) => createMessage(chooseExportText(facts)),
  'ledger.acknowledged': () => createMessage('notices.alarmAcknowledged'),
  'ledger.restored': () => createMessage('notices.backupRestored'),
  'client.written': ({ name }) => createMessage('notices.clientWritten', { name }),
  'window.opened': () => createMessage('notices.windowOpened'),
  'service.changed': () => createMessage('notices.serviceChanged'),
  'proof.added': ({ kind }) => createMessage(addedProofTexts[kind]),
  'proof.removed': ({ why }) => (why === 'stronger' ? null : createMessage('notices.proofRemoved')),
  'proof.relaxed': () => createMessage('notices.proofRelaxed'),
  'proof.pin_ended': () => createMessage('notices.proofPinEnded'),
  'proof.pin_waits': () => createMessage('notices.proofPinWaits'),
  'proof.recovery_started': () => createMessage('notices.recoveryStarted'),
  'proof.recovery_cancelled': () => createMessage('notices.recoveryCancelled'),
  'proof.recovered': () => createMessage('notices.recoveryOver'),
};

/** The notification texts of these rows. All other notifications ask whether the change was made by the person. */
const ownTexts: Readonly<Record<string, Message>> = {
  'proof.pin_ended': createMessage('notices.proofPinEndedText'),
  'proof.recovery_started': createMessage('notices.recoveryText'),
  'proof.recovery_cancelled': createMessage('notices.recoveryCancelledText'),
  'proof.recovered': createMessage('notices.recoveryOverText'),
};

/** A proof that could not be stored was never in use. Its two rows follow each other. */
const dropUndone = <Row extends { kind: string; facts: RowFacts }>(rows: readonly Row[]): Row[] => {
  const isUndone = (row: Row | undefined): boolean => row?.kind === 'proof.removed' && row.facts.why === 'notStored';
  return rows.filter((row, at) => !isUndone(row) && !isUndone(rows[at + 1]));
};

/**
 * Creates a listener for ledger rows that raises one notification for each row about weaker protection. A program that
 * presses buttons could turn off an ordinary notification first, so settings do not apply to these.
 */
export const createProtectionNotifier = (notify: Notify) => {
  let waiting: { kind: string; facts: RowFacts; isStored: () => boolean }[] = [];
  const announce = (): void => {
    const rows = dropUndone(waiting.filter(({ isStored }) => isStored()));
    waiting = [];
    const paired = new Set(rows.flatMap(({ kind, facts }) => (kind === 'assistant.paired' ? [facts.assistantId] : [])));
    for (const { kind, facts } of rows) {
      // The rights of a new assistant are part of its pairing.
      const title = kind === 'assistant.changed' && paired.has(facts.assistantId) ? null : titles[kind]?.(facts);
      if (!title) continue;
      const texts = formatNoticeTexts(title, ownTexts[kind] ?? createMessage('notices.protectionText'));
      notify({ kind: 'protection', ...texts, place: '/approvals' });
    }
  };
  return (kind: string, facts: Facts, isStored: () => boolean): void => {
    if (!Object.hasOwn(titles, kind)) return;
    // The transaction ends before the notification is raised.
    if (waiting.length === 0) queueMicrotask(announce);
    waiting.push({ kind, facts: rowFacts.parse(facts), isStored });
  };
};
