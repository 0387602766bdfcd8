import { Button, Modal } from '@mantine/core';
import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { isLostCeremony, type ShownCeremony } from '../../api/ceremony.ts';
import { createEscapeHandler, useFocusRestore } from '../../components/Keys.tsx';
import { useInertSurroundings } from '../../components/useInertSurroundings.ts';
import { formatTimeLeft, useTimeLeft } from '../../components/text/RelativeTime.tsx';
import { t } from '../../i18n.ts';
import { leaveDialogs } from '../approvals/usePrompts.ts';
import { useIsApproveButtonArmed } from '../approvals/ApprovalAnswerButtons.tsx';
import { PinWait } from './PinWait.tsx';
import styles from './ceremony.module.css';

/** Escape in this dialog must not also close the dialog below, which listens for it on the whole window. */
const ownEscape = { 'data-mantine-stop-propagation': 'true' } as const;

type CeremonyPageProps = Pick<ShownCeremony, 'of'> & {
  page: NonNullable<ShownCeremony['page']>;
  leave: RefObject<HTMLButtonElement | null>;
};

const CeremonyPage = ({ of, page: { url, isOpened }, leave }: CeremonyPageProps) => {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => (link.current ?? leave.current)?.focus(), [leave]);
  if (url === null) return <p>{t('proof.inWindow')}</p>;
  if (isOpened) return <p>{t(of === 'call' ? 'proof.opened' : 'proof.openedSetUp')}</p>;
  return (
    <>
      <p>{t(of === 'call' ? 'proof.inTab' : 'proof.inTabSetUp')}</p>
      <Button
        {...ownEscape}
        ref={link}
        component="a"
        variant="ink"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        className={styles.open}
      >
        {t('proof.openPage')}
      </Button>
    </>
  );
};

const TimeToConfirm = ({ of, begun }: Pick<ShownCeremony, 'of' | 'begun'>) => {
  const left = useTimeLeft(begun.expiresAt, 1_000);
  return (
    <p className={styles.small}>
      {t(of === 'call' ? 'proof.waiting' : 'proof.waitingSetUp')} <span aria-hidden>{formatTimeLeft(left)}</span>
    </p>
  );
};

type CeremonyProps = { ceremony: ShownCeremony; leave: RefObject<HTMLButtonElement | null> };

const WaitingCeremony = ({ ceremony: { of, begun, page }, leave }: CeremonyProps) => (
  <>
    {page && <CeremonyPage of={of} page={page} leave={leave} />}
    <TimeToConfirm of={of} begun={begun} />
  </>
);

const formatCeremonyState = (ceremony: ShownCeremony): string => {
  if (isLostCeremony(ceremony)) return t('proof.lost');
  return ceremony.state === 'waiting' ? '' : t(`proof.${ceremony.state}`);
};

/** A second ceremony needs the prompt to be visible again for as long as the first. */
const CeremonyButtons = ({ ceremony, leave }: CeremonyProps) => {
  const { state, repeat, begun } = ceremony;
  const isEnded = state !== 'waiting';
  const armed = useIsApproveButtonArmed(isEnded ? begun.token : null);
  const [, go] = useLocation();
  const goToSettings = (): void => {
    ceremony.leave();
    leaveDialogs();
    go('/settings');
  };
  return (
    <div className={styles.buttons}>
      <Button {...ownEscape} ref={leave} onClick={ceremony.leave}>
        {t(isEnded || isLostCeremony(ceremony) ? 'parts.close' : 'proof.cancel')}
      </Button>
      {isLostCeremony(ceremony) && (
        <Button {...ownEscape} variant="ink" onClick={goToSettings}>
          {t('proof.toSettings')}
        </Button>
      )}
      {isEnded && repeat && (
        <Button {...ownEscape} variant="ink" disabled={!armed} onClick={repeat}>
          {t('proof.again')}
        </Button>
      )}
    </div>
  );
};

const CeremonyContent = ({ ceremony }: { ceremony: ShownCeremony }) => {
  const title = useRef<HTMLHeadingElement>(null);
  useInertSurroundings(title);
  const leave = useRef<HTMLButtonElement>(null);
  const { of, begun, state } = ceremony;
  const isRunning = state === 'waiting' && !isLostCeremony(ceremony);
  useEffect(() => {
    if (!isRunning) leave.current?.focus();
  }, [isRunning]);
  return (
    <>
      <Modal.Title ref={title} className={styles.title}>
        {t(of === 'call' ? 'proof.title' : 'proof.setUpTitle')}
      </Modal.Title>
      {isRunning && <WaitingCeremony ceremony={ceremony} leave={leave} />}
      <p role="status" className={styles.state}>
        {formatCeremonyState(ceremony)}
      </p>
      {!isRunning && begun.kinds.includes('pin') && <PinWait />}
      {isRunning && of === 'call' && <p className={styles.small}>{t('proof.lostKey')}</p>}
      <CeremonyButtons ceremony={ceremony} leave={leave} />
    </>
  );
};

/** Shows the ceremony in which the person confirms one call, whatever screen made it. */
export const CeremonyDialog = ({ ceremony }: { ceremony: ShownCeremony }) => {
  useFocusRestore();
  return (
    <Modal.Root
      onKeyDown={createEscapeHandler(ceremony.leave)}
      opened
      onClose={ceremony.leave}
      closeOnEscape={false}
      closeOnClickOutside={false}
      centered
      size={440}
    >
      <Modal.Overlay />
      <Modal.Content {...ownEscape}>
        <Modal.Body className={styles.body}>
          <CeremonyContent ceremony={ceremony} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
};
