import { Button, Menu, Modal } from '@mantine/core';
import { IconChevronDown, IconAlertTriangle } from '@tabler/icons-react';
import { t } from '../../i18n.ts';
import type { DeclineReason } from './useQuestions.ts';
import styles from './receipt.module.css';
import { TimeLeft, useTimeLeft, secondsLeft } from '../../components/text/RelativeTime.tsx';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { isEditing } from '../../components/Keys.tsx';
import type { ApprovalView } from '../../api/call.ts';
import { UntrustedText, escapedText } from '../../components/text/UntrustedText.tsx';
import { LowerExtras } from './ExtrasAgain.tsx';
import { promptText } from './approvalText.ts';

/** The reasons, and how they are called; only an assistant can have asked unasked. */
const reasons = (byAssistant: boolean): [DeclineReason, string][] => {
  const always: [DeclineReason, string][] = [
    ['no', t('approvals.no')],
    ['wrong_details', t('approvals.wrongDetails')],
  ];
  return byAssistant ? [...always, ['not_asked_for', t('approvals.notAskedFor')]] : always;
};

type DeclineButtonProps = { byAssistant: boolean; busy: boolean; onDecline: (why: DeclineReason) => void };

/** The no, with its reasons. */
export const DeclineButton = ({ byAssistant, busy, onDecline }: DeclineButtonProps) => (
  <Menu position="top-start">
    <Menu.Target>
      <Button
        variant="quiet"
        size="md"
        px="sm"
        disabled={busy}
        rightSection={<IconChevronDown size={14} aria-hidden />}
      >
        {t('approvals.decline')}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {reasons(byAssistant).map(([why, words]) => (
        <Menu.Item key={why} onClick={() => onDecline(why)}>
          {words}
          {why === 'not_asked_for' && <span className={styles.small}> {t('approvals.pausesIt')}</span>}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

type FooterLineProps = { final: boolean; until: number; more: number };

/** Above the answers, where it cannot be scrolled away: that it is for good, how long there is, and what comes after. */
export const FooterLine = ({ final, until, more }: FooterLineProps) => (
  <p className={styles.footLine}>
    {final && (
      <span className={styles.final}>
        <IconAlertTriangle size={16} aria-hidden />
        {t('approvals.cannotUndo')}
      </span>
    )}
    <TimeLeft until={until} everyMs={1_000} announced className={styles.left} />
    {more > 0 && <span>{t('approvals.moreAfter', { count: more })}</span>}
  </p>
);

type HoldProps = {
  until: number;
  /** What happens in so many seconds: "Ending in 4 s". */
  words: (seconds: number) => string;
  busy: boolean;
  /** How many wait besides. */
  more: number;
  onTakeBack: () => void;
  onNext: () => void;
  onClose: () => void;
};

/**
 * The seconds after the yes to something that cannot be undone, in the place of the answers. The focus goes to what takes
 * it back. A screen reader hears of it once, not every second.
 */
export const HoldCountdown = ({ until, words, busy, more, onTakeBack, onNext, onClose }: HoldProps) => {
  const id = useId();
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // While the yes is still being answered it cannot take the focus.
    if (!busy) back.current?.focus();
  }, [busy]);
  const left = secondsLeft(useTimeLeft(until, 200));
  return (
    <div className={styles.foot}>
      <div className={styles.hold}>
        <b aria-hidden>{left > 0 ? words(left) : t('approvals.state.sending')}</b>
        <span className={styles.small}>{t('approvals.hold.means')}</span>
        <span role="status" id={id} className="unseen">
          {t('approvals.hold.said')}
        </span>
      </div>
      <div className={styles.answers}>
        <Button size="md" variant="quiet" onClick={onClose}>
          {t('approvals.close')}
        </Button>
        {more > 0 && (
          <Button size="md" variant="quiet" onClick={onNext}>
            {t('approvals.next', { count: more })}
          </Button>
        )}
        <Button
          ref={back}
          data-autofocus
          aria-describedby={id}
          className={styles.yes}
          variant="ink"
          size="md"
          loading={busy}
          disabled={left === 0}
          onClick={onTakeBack}
        >
          {t('approvals.hold.takeBack')}
        </Button>
      </div>
    </div>
  );
};

/** Names the yes for `pressYes`, and its keys for whoever cannot see them. */
export const yesButton = { 'data-yes': true, 'aria-keyshortcuts': 'Control+Enter Meta+Enter' } as const;

/** Ctrl- or ⌘-Enter in a prompt presses its yes, as soon as that can be pressed, and nothing else. */
const pressYes = (event: KeyboardEvent<HTMLElement>): void => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  // It would press what has the focus.
  event.preventDefault();
  // A menu lies outside of what it belongs to, and what is being written is not shown to be agreed to yet.
  const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
  if (isHere && !event.repeat && !isEditing()) event.currentTarget.querySelector<HTMLElement>('[data-yes]')?.click();
};

/** How long a prompt must have been in front of the person before its yes can be given. */
export const armAfterMs = 1_200;

const isInFront = (): boolean => document.visibilityState !== 'hidden' && document.hasFocus();

const onFront = (changed: () => void): (() => void) => {
  const events = [
    [document, 'visibilitychange'],
    [window, 'focus'],
    [window, 'blur'],
  ] as const;
  for (const [target, name] of events) target.addEventListener(name, changed);
  return () => {
    for (const [target, name] of events) target.removeEventListener(name, changed);
  };
};

/**
 * True once exactly this has been in front of the person for long enough; false again in the very render that shows
 * something else. A window behind others counts as visible in places: raised under the mouse, it would take a click that
 * was meant for what lay there.
 */
export const useArmed = (shown: string | null): boolean => {
  const [armed, setArmed] = useState<string | null>(null);
  const visible = useSyncExternalStore(onFront, isInFront);
  useEffect(() => {
    if (shown === null || !visible) return;
    const timer = setTimeout(() => setArmed(shown), armAfterMs);
    return () => {
      clearTimeout(timer);
      setArmed(null);
    };
  }, [shown, visible]);
  return visible && shown !== null && armed === shown;
};

type PromptFrameProps = { widthPx: number; onEscape: () => void; children: ReactNode };

/** The paper that a question stands on, over every screen. */
export const PromptFrame = ({ widthPx, onEscape, children }: PromptFrameProps) => (
  <Modal.Root
    onKeyDown={pressYes}
    opened
    onClose={onEscape}
    closeOnClickOutside={false}
    centered
    size={widthPx}
    padding={0}
    classNames={{ content: styles.sheet, body: styles.body }}
  >
    <Modal.Overlay className={styles.overlay} />
    <Modal.Content>{children}</Modal.Content>
  </Modal.Root>
);

type DecideProps = {
  approval: ApprovalView;
  armed: boolean;
  busy: boolean;
  /** How many wait after this one. */
  more: number;
  onYes: () => void;
  onDecline: (why: DeclineReason) => void;
  onLater: () => void;
  onShow: (approvalId: string) => void;
};

/** The answers, and above them what the yes also agrees to. The focus starts on "Not now", also when what is shown has changed. */
export const Decide = ({ approval, armed, busy, more, onYes, onDecline, onLater, onShow }: DecideProps) => {
  const { prompt } = approval;
  const later = useRef<HTMLButtonElement>(null);
  useEffect(() => later.current?.focus(), [approval.approvalId, approval.digest]);
  return (
    <div className={styles.foot}>
      {prompt.feeNotice && (
        <section className={styles.notice} aria-label={t('approvals.feeNotice')}>
          <UntrustedText text={promptText(prompt, 'feeNotice')} />
        </section>
      )}
      <LowerExtras approval={approval} onShow={onShow} />
      <FooterLine final={prompt.final} until={approval.expiresAt} more={more} />
      <div className={styles.answers}>
        <Button ref={later} data-autofocus size="md" onClick={onLater}>
          {t('approvals.notNow')}
        </Button>
        <DeclineButton byAssistant={approval.by.kind === 'assistant'} busy={busy} onDecline={onDecline} />
        <Button
          {...yesButton}
          className={styles.yes}
          variant="filled"
          color={prompt.final ? 'red' : 'green'}
          size="md"
          disabled={!armed || busy}
          loading={busy}
          onClick={onYes}
        >
          {escapedText(promptText(prompt, 'yes'))}
        </Button>
      </div>
    </div>
  );
};
