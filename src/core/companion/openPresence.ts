import * as z from 'zod';
import { createMessage } from '../../i18n/message.ts';
import { formatNoticeTexts } from '../base/messages.ts';
import { createPresence, type Presence } from '../presence/presence.ts';
import type { PresenceContext, ProofReminder } from '../presence/presenceContext.ts';
import { usualPinCost } from '../presence/pin.ts';
import { restoredSettingName } from '../storage/restore.ts';
import type { CompanionConfig, CoreServices } from './coreServices.ts';
import type { Ledger } from '../approvals/ledger/ledger.ts';

const reminderTexts = {
  proofsLost: [createMessage('notices.proofsLost'), createMessage('notices.proofsLostText')],
  recoveryRuns: [createMessage('notices.recoveryRuns'), createMessage('notices.recoveryText')],
} as const satisfies Record<ProofReminder, readonly unknown[]>;

const proofFacts = z.object({
  kind: z.string(),
  credentialId: z.string().nullish(),
  keychain: z.string().optional(),
});

/** Returns whether the ledger says that a proof is set up. A PIN without a keychain ends with its run. */
const isProofInLedger = (ledger: Ledger): boolean => {
  const rows = ['proof.added', 'proof.removed', 'proof.recovered'].flatMap((kind) => ledger.ofKind(kind));
  const active = new Set<string>();
  for (const { kind, facts } of rows.sort((a, b) => a.seq - b.seq)) {
    if (kind === 'proof.recovered') active.clear();
    const { data } = proofFacts.safeParse(facts);
    if (!data || data.keychain === 'memory') continue;
    const name = data.credentialId ?? data.kind;
    if (kind === 'proof.added') active.add(name);
    else active.delete(name);
  }
  return active.size > 0;
};

/** Opens the proofs of the person. `later` are parts that are opened after them. */
export const openPresence = (
  services: CoreServices,
  config: CompanionConfig,
  later: Pick<PresenceContext, 'readPrompts' | 'pauseAssistants'>,
): Presence => {
  const { ledger, clock, settings, connection, notify } = services;
  return createPresence({
    ...services,
    ...later,
    dataDir: config.dataDir,
    pinCost: config.pinCost ?? usualPinCost,
    systemPrompt: config.systemPrompt ?? null,
    // A restored database says what was set up at the time of the backup, and a restore brings no proof back.
    isProofExpected: () => settings.read(restoredSettingName, z.unknown()) === null && isProofInLedger(ledger),
    record: (kind, facts) => ledger.append(clock.now(), kind, facts),
    remind: (reminder) =>
      notify({ kind: 'protection', ...formatNoticeTexts(...reminderTexts[reminder]), place: '/settings' }),
    account: () => connection.who()?.account ?? '',
  });
};
