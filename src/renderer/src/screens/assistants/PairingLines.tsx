import { Button, NativeSelect } from '@mantine/core';
import { GrowingTextarea } from '../../components/fields/GrowingTextarea.tsx';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import type { CallInput } from '../../../../ipc/calls.ts';
import { callCore, getErrorSentence, type Assistants } from '../../api/call.ts';
import { useAssistantList } from '../../api/queries.ts';
import { ProblemLine } from '../../components/ScreenPage.tsx';
import { formatTimeLeft, useTimeLeft } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import { useIsApproveButtonArmed } from '../approvals/ApprovalAnswerButtons.tsx';
import { NoProofLine } from '../proof/NoProofLine.tsx';
import { SimilarNameWarning } from '../approvals/PromptContent.tsx';
import { AssistantLimitFields, parseDayLimits, listScopeChoices } from './AssistantLimitsForm.tsx';
import styles from './pairing.module.css';

type Pairing = Assistants['pairings'][number];
type AccessChoice = { scope: 'read' | 'draft' | 'ask'; folders: string; publishes: string; money: string };

/** By default, an assistant can create drafts and request approvals, but cannot read folders of this computer. */
const proposedAccess: AccessChoice = { scope: 'ask', folders: '', publishes: '', money: '' };

const splitIntoLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const usePairingAnswer = (pairingId: string) => {
  const form = useForm({ initialValues: proposedAccess });
  const [wrong, setWrong] = useState<string | null>(null);
  const accept = useMutation({
    mutationFn: (access: CallInput<'assistants.accept'>['access']) =>
      callCore('assistants.accept', { pairingId, access }),
  });
  const refuse = useMutation({ mutationFn: () => callCore('assistants.refuse', { pairingId }) });
  const onAccept = (): void => {
    const { scope, folders, publishes, money } = form.values;
    const limits = parseDayLimits(publishes, money);
    setWrong(typeof limits === 'string' ? limits : null);
    if (typeof limits !== 'string') accept.mutate({ scope, folders: splitIntoLines(folders), ...limits });
  };
  const error = accept.error ?? refuse.error;
  return {
    form,
    onAccept,
    refuse,
    busy: accept.isPending || refuse.isPending,
    problem: wrong ?? (error && getErrorSentence(error)),
  };
};

type AnswerForm = ReturnType<typeof usePairingAnswer>['form'];

const PairingOptions = ({ form }: { form: AnswerForm }) => (
  <div className={styles.more}>
    <AssistantLimitFields publishes={form.getInputProps('publishes')} money={form.getInputProps('money')}>
      <GrowingTextarea
        minRows={2}
        label={t('assistants.folders.title')}
        description={t('assistants.pairing.folders')}
        {...form.getInputProps('folders')}
      />
    </AssistantLimitFields>
  </div>
);

const PairingAsker = ({ pairing }: { pairing: Pairing }) => {
  const left = useTimeLeft(pairing.expiresAt, 5_000);
  return (
    <div className={styles.who}>
      <Trans
        i18nKey="assistants.wants"
        components={{
          name: (
            <b>
              <UntrustedText text={pairing.name} fold={80} />
            </b>
          ),
        }}
      />{' '}
      <span className={styles.soft}>{formatTimeLeft(left)}</span>
      <SimilarNameWarning like={pairing.nameLike} />
    </div>
  );
};

const PairingLine = ({ pairing, armed }: { pairing: Pairing; armed: boolean }) => {
  const { form, onAccept, refuse, busy, problem } = usePairingAnswer(pairing.pairingId);
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={styles.line}>
      <PairingAsker pairing={pairing} />
      <output className={styles.code} aria-label={t('assistants.code')}>
        {pairing.code}
      </output>
      <NativeSelect
        size="xs"
        aria-label={t('assistants.limits.scope')}
        data={listScopeChoices()}
        {...form.getInputProps('scope')}
      />
      <div className={styles.buttons}>
        <Button size="compact-sm" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('assistants.pairing.more')}
        </Button>
        <Button size="compact-sm" disabled={busy} onClick={() => refuse.mutate()}>
          {t('assistants.refuse')}
        </Button>
        <Button size="compact-sm" variant="filled" color="green" disabled={busy || !armed} onClick={onAccept}>
          {t('assistants.accept')}
        </Button>
      </div>
      {isOpen && <PairingOptions form={form} />}
      {problem && <ProblemLine>{problem}</ProblemLine>}
    </li>
  );
};

export const PairingLines = () => {
  const pairings = useAssistantList().data?.pairings ?? [];
  // Lines move when a line appears, so the buttons are disarmed briefly. A misdirected click must not pair an
  // assistant.
  const armed = useIsApproveButtonArmed(
    pairings.length === 0 ? null : pairings.map(({ pairingId }) => pairingId).join(' '),
  );
  if (pairings.length === 0) return null;
  return (
    <section aria-label={t('assistants.asking')} role="status" className={styles.lines}>
      <ul>
        {pairings.map((pairing) => (
          <PairingLine key={pairing.pairingId} pairing={pairing} armed={armed} />
        ))}
      </ul>
      <NoProofLine of="pairing" className={styles.noProof} />
    </section>
  );
};
