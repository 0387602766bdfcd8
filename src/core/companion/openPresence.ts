import { createMessage } from '../../i18n/message.ts';
import { formatNoticeTexts } from '../base/messages.ts';
import { createPresence, type Presence } from '../presence/presence.ts';
import type { PresenceContext, ProofReminder } from '../presence/presenceContext.ts';
import { usualPinCost } from '../presence/pin.ts';
import type { CompanionConfig, CoreServices } from './coreServices.ts';
import type { ProofMark } from './proofMark.ts';

const reminderTexts = {
  proofsLost: [createMessage('notices.proofsLost'), createMessage('notices.proofsLostText')],
  recoveryRuns: [createMessage('notices.recoveryRuns'), createMessage('notices.recoveryText')],
} as const satisfies Record<ProofReminder, readonly unknown[]>;

/** Opens the proofs of the person. `later` are parts that are opened after them. */
export const openPresence = (
  services: CoreServices,
  config: CompanionConfig,
  mark: ProofMark,
  later: Pick<PresenceContext, 'readPrompts' | 'pauseAssistants'>,
): Presence => {
  const { ledger, clock, connection, notify } = services;
  return createPresence({
    ...services,
    ...later,
    dataDir: config.dataDir,
    pinCost: config.pinCost ?? usualPinCost,
    systemPrompt: config.systemPrompt ?? null,
    readServiceTime: services.serviceClock.read,
    isProofExpected: mark.isProofExpected,
    noteSetUp: mark.note,
    record: (kind, facts) => ledger.append(clock.now(), kind, facts),
    remind: (reminder) =>
      notify({ kind: 'protection', ...formatNoticeTexts(...reminderTexts[reminder]), place: '/settings' }),
    account: () => connection.who()?.account ?? '',
  });
};
