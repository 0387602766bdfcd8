import { Button, Menu, Modal } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconChevronDown } from '@tabler/icons-react';
import { t } from '../../i18n.ts';
import type { DeclineReason } from './usePrompts.ts';
import styles from './prompt.module.css';
import footerStyles from './promptFooter.module.css';
import { TimeLeft, useTimeLeft, countSecondsLeft } from '../../components/text/RelativeTime.tsx';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { isEditingField } from '../../components/Keys.tsx';
import type { ApprovalView, Prompt } from '../../api/call.ts';
import { UntrustedText, escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { LowerExtrasSection } from './ExtrasFollowUp.tsx';
import { PromptFeeLines, PromptFeeTotal, QuoteAgeLine, formatMoneyLabel } from './PromptFacts.tsx';
import { formatPromptPart } from './approvalText.ts';

const listDeclineReasons = (byAssistant: boolean): [DeclineReason, string][] => {
  const always: [DeclineReason, string][] = [
    ['no', t('approvals.no')],
    ['wrong_details', t('approvals.wrongDetails')],
  ];
  return byAssistant ? [...always, ['not_asked_for', t('approvals.notAskedFor')]] : always;
};

type DeclineButtonProps = { byAssistant: boolean; busy: boolean; onDecline: (why: DeclineReason) => void };

export const DeclineReasonsButton = ({ byAssistant, busy, onDecline }: DeclineButtonProps) => (
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
      {listDeclineReasons(byAssistant).map(([why, words]) => (
        <Menu.Item key={why} onClick={() => onDecline(why)}>
          {words}
          {why === 'not_asked_for' && <span className={styles.small}> {t('approvals.pausesIt')}</span>}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

type PromptFootProps = {
  prompt: Pick<Prompt, 'money'>;
  /** Stands above the fee. */
  above?: ReactNode;
  children: ReactNode;
};

/** The foot never scrolls away. In a very low window, the fee lines scroll below the total and the answers. */
export const PromptFoot = ({ prompt: { money }, above, children }: PromptFootProps) => (
  <div className={footerStyles.foot}>
    {above}
    {money && (
      <section aria-label={formatMoneyLabel(money)}>
        <PromptFeeLines money={money} />
      </section>
    )}
    <div className={footerStyles.decision}>
      {money && <PromptFeeTotal money={money} />}
      {children}
    </div>
  </div>
);

const FeeNoticeSection = ({ prompt }: { prompt: Prompt }) =>
  prompt.feeNotice === null ? null : (
    <section className={styles.notice} aria-label={t('approvals.feeNotice')}>
      <UntrustedText text={formatPromptPart(prompt, 'feeNotice')} />
    </section>
  );

const UndoNotice = ({ prompt }: { prompt: Prompt }) => (
  <p className={footerStyles.undo}>
    <IconArrowBackUp size={14} aria-hidden />
    <span>
      <UntrustedText text={formatPromptPart(prompt, 'undo')} />
    </span>
  </p>
);

type FooterLineProps = {
  /** Why the yes cannot be undone; null if it can. */
  final: string | null;
  until: number;
  more: number;
};

export const PromptFooterLine = ({ final, until, more }: FooterLineProps) => (
  <p className={footerStyles.footLine}>
    {final !== null && (
      <span className={footerStyles.final}>
        <IconAlertTriangle size={14} aria-hidden />
        <UntrustedText text={final} />
      </span>
    )}
    <TimeLeft until={until} everyMs={1_000} announced className={footerStyles.left} />
    {more > 0 && <span>{t('approvals.moreAfter', { count: more })}</span>}
  </p>
);

type UndoCountdownProps = {
  until: number;
  /** Returns the countdown as text, for example "Ending in 4 s". */
  words: (seconds: number) => string;
  busy: boolean;
  more: number;
  onTakeBack: () => void;
  onNext: () => void;
  onClose: () => void;
};

/** The countdown is announced to screen readers once, not every second. */
export const UndoWindowCountdown = ({ until, words, busy, more, onTakeBack, onNext, onClose }: UndoCountdownProps) => {
  const id = useId();
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A disabled button cannot receive the focus.
    if (!busy) back.current?.focus();
  }, [busy]);
  const left = countSecondsLeft(useTimeLeft(until, 200));
  return (
    <>
      <div className={footerStyles.undoWindow}>
        <b aria-hidden>{left > 0 ? words(left) : t('approvals.state.sending')}</b>
        <span className={styles.small}>{t('approvals.hold.means')}</span>
        <span role="status" id={id} className="unseen">
          {t('approvals.hold.said')}
        </span>
      </div>
      <div className={footerStyles.answers}>
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
          className={footerStyles.yes}
          variant="ink"
          size="md"
          loading={busy}
          disabled={left === 0}
          onClick={onTakeBack}
        >
          {t('approvals.hold.takeBack')}
        </Button>
      </div>
    </>
  );
};

/** `handleApproveShortcut` finds the button by `data-yes`. */
export const approveButtonProps = { 'data-yes': true, 'aria-keyshortcuts': 'Control+Enter Meta+Enter' } as const;

const handleApproveShortcut = (event: KeyboardEvent<HTMLElement>): void => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  // Prevents Enter from activating the focused button.
  event.preventDefault();
  // Ignores a key press in a menu: menus render outside the prompt, but React bubbles their key events to it. Also
  // ignores a key press in a field, because its unsaved value is not part of the approval.
  const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
  if (isHere && !event.repeat && !isEditingField())
    event.currentTarget.querySelector<HTMLElement>('[data-yes]')?.click();
};

/** How long a prompt must be visible and focused before the person can approve it. */
export const approveDelayMs = 1_200;

const isWindowFocused = (): boolean => document.visibilityState !== 'hidden' && document.hasFocus();

const subscribeToWindowFocus = (changed: () => void): (() => void) => {
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
 * Returns true after this text has been shown in a focused window for `approveDelayMs`. A changed text disarms the button
 * in the same render. Without the check of the focus, a window that appears under the mouse could receive a click that
 * was meant for another window.
 */
export const useIsApproveButtonArmed = (shown: string | null): boolean => {
  const [armed, setArmed] = useState<string | null>(null);
  const visible = useSyncExternalStore(subscribeToWindowFocus, isWindowFocused);
  useEffect(() => {
    if (shown === null || !visible) return;
    const timer = setTimeout(() => setArmed(shown), approveDelayMs);
    return () => {
      clearTimeout(timer);
      setArmed(null);
    };
  }, [shown, visible]);
  return visible && shown !== null && armed === shown;
};

type PromptFrameProps = { widthPx: number; onEscape: () => void; children: ReactNode };

export const PromptModalFrame = ({ widthPx, onEscape, children }: PromptFrameProps) => (
  <Modal.Root
    onKeyDown={handleApproveShortcut}
    opened
    onClose={onEscape}
    closeOnClickOutside={false}
    centered
    size={widthPx}
    xOffset={8}
    padding={0}
    classNames={{ content: styles.prompt, body: styles.body }}
  >
    <Modal.Overlay className={styles.overlay} />
    <Modal.Content>{children}</Modal.Content>
  </Modal.Root>
);

type ApprovalButtonsProps = {
  approval: ApprovalView;
  armed: boolean;
  busy: boolean;
  more: number;
  onYes: () => void;
  onDecline: (why: DeclineReason) => void;
  onLater: () => void;
  onShow: (approvalId: string) => void;
};

/** Focuses "Not now" at first and whenever the content of the prompt changes. */
export const ApprovalAnswerButtons = ({
  approval,
  armed,
  busy,
  more,
  onYes,
  onDecline,
  onLater,
  onShow,
}: ApprovalButtonsProps) => {
  const { prompt } = approval;
  const later = useRef<HTMLButtonElement>(null);
  useEffect(() => later.current?.focus(), [approval.approvalId, approval.digest]);
  return (
    <PromptFoot
      prompt={prompt}
      above={
        <>
          <FeeNoticeSection prompt={prompt} />
          <LowerExtrasSection approval={approval} onShow={onShow} />
        </>
      }
    >
      {prompt.money && <QuoteAgeLine money={prompt.money} />}
      {!prompt.final && <UndoNotice prompt={prompt} />}
      <PromptFooterLine
        final={prompt.final ? formatPromptPart(prompt, 'undo') : null}
        until={approval.expiresAt}
        more={more}
      />
      <div className={footerStyles.answers}>
        <Button ref={later} data-autofocus size="md" onClick={onLater}>
          {t('approvals.notNow')}
        </Button>
        <DeclineReasonsButton byAssistant={approval.by.kind === 'assistant'} busy={busy} onDecline={onDecline} />
        <Button
          {...approveButtonProps}
          className={footerStyles.yes}
          variant="filled"
          color={prompt.final ? 'red' : 'green'}
          size="md"
          disabled={!armed || busy}
          loading={busy}
          onClick={onYes}
        >
          {escapeHiddenText(formatPromptPart(prompt, 'yes'))}
        </Button>
      </div>
    </PromptFoot>
  );
};
