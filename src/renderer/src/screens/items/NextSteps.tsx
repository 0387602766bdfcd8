import { useItemMutation } from '../../api/useCall.ts';
import {
  callCore,
  type ItemView,
  type ItemError,
  type ItemSummary,
  type NextStep,
  type AppState,
} from '../../api/call.ts';
import { useAppState } from '../../api/queries.ts';
import { t, translateMessage } from '../../i18n.ts';
import progressStyles from './itemProgress.module.css';
import { Link, useLocation } from 'wouter';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { ConnectDialog } from '../connect/lazyConnectDialog.ts';
import styles from './nextSteps.module.css';
import { formatDay } from '../../components/text/format.ts';

const formatResetDay = (resetsAt: string | null): string | null => {
  const at = Date.parse(resetsAt ?? '');
  return Number.isNaN(at) ? null : formatDay(at, 'long');
};

/** `unwritten` items are in progress and will use the allowance. */
export const formatRemainingListings = (
  { remaining, credits: prepaid, resetsAt }: NonNullable<AppState['allowance']>,
  unwritten = 0,
): string => {
  const count = Math.max(0, remaining - unwritten);
  const credits = Math.max(0, prepaid - Math.max(0, unwritten - remaining));
  const day = formatResetDay(resetsAt);
  if (count + credits <= 0) return day === null ? t('items.noneLeft') : t('items.noneLeftUntil', { day });
  const listings = day === null ? t('items.left', { count }) : t('items.leftUntil', { count, day });
  return credits > 0 ? t('items.withPrepaid', { listings, credits }) : listings;
};

const progressSteps = ['photos', 'draft', 'upload', 'writing', 'review'] as const;

const progressStepIndexes: Readonly<Record<ItemView['step'], number>> = {
  photos: 0,
  arranging: 0,
  draft: 1,
  upload: 2,
  line: 3,
  writing: 3,
  review: 4,
  live: 5,
  ended: 5,
};

type ProgressStepState = 'done' | 'moving' | 'due' | 'stopped' | 'ahead';

export const listProgressStepStates = (item: Pick<ItemView, 'step' | 'stop'>): ProgressStepState[] => {
  const at = progressStepIndexes[item.step];
  return progressSteps.map((_, mark) => {
    if (mark < at) return 'done';
    if (mark > at) return 'ahead';
    if (item.stop) return 'stopped';
    return item.step === 'review' || item.step === 'arranging' ? 'due' : 'moving';
  });
};

export const isItemInProgress = (item: Pick<ItemView, 'step' | 'stop'>): boolean =>
  !item.stop && !['arranging', 'review', 'live', 'ended'].includes(item.step);

type Props = { item: Pick<ItemView, 'step' | 'stop' | 'progress'>; named?: boolean };

/** Hidden from screen readers, because the text beside the marks has the same information. */
export const ItemProgress = ({ item, named = false }: Props) => {
  const part = item.progress && item.progress.total > 0 ? item.progress.done / item.progress.total : 0;
  const states = listProgressStepStates(item);
  return (
    <div className={progressStyles.way} aria-hidden data-named={named || undefined}>
      {progressSteps.map((mark, at) => (
        <div key={mark} className={progressStyles.step} data-state={states[at]}>
          <div className={progressStyles.mark}>
            {states[at] === 'moving' && (
              <div className={progressStyles.part} style={{ width: `${Math.round(part * 100)}%` }} />
            )}
          </div>
          {named && <span>{t(`parts.way.${mark}`)}</span>}
        </div>
      ))}
    </div>
  );
};

type ItemActionName =
  | 'items.cancel'
  | 'items.check'
  | 'items.defer'
  | 'items.resume'
  | 'items.skipUnreadable'
  | 'items.changePhotos'
  | 'items.remove'
  | 'items.beginWith';

export const useItemAction = (name: ItemActionName, onDone?: () => void) =>
  useItemMutation(async (itemId: string): Promise<void> => {
    if (name === 'items.beginWith') await callCore(name, { itemId, templateId: null });
    else if (name === 'items.check') await callCore(name, { itemId, seen: null });
    else await callCore(name, { itemId });
  }, onDone);

export const useCloseRemovedItem = (itemId: string): (() => void) => {
  const [path, go] = useLocation();
  return () => {
    if (path === `/items/${encodeURIComponent(itemId)}`) go('/');
  };
};

type ItemReference = Pick<ItemSummary, 'itemId'>;

type ButtonSize = 'sm' | 'compact-sm';

type NextStepButtonProps = { step: NextStep; item: ItemReference; size: ButtonSize; onConnect: () => void };

const NextStepButton = ({ step, item, size, onConnect }: NextStepButtonProps) => {
  const close = useCloseRemovedItem(item.itemId);
  const resume = useItemAction('items.resume');
  const change = useItemAction('items.changePhotos');
  const remove = useItemAction('items.remove', close);
  const without = useItemAction('items.beginWith');
  const skip = useItemAction('items.skipUnreadable');
  if (step === 'connect')
    return (
      <Button size={size} onClick={onConnect}>
        {t('items.connectAgain')}
      </Button>
    );
  if (step === 'remove')
    return (
      <ConfirmButton size={size} variant="quiet" sure={t('items.removeSure')} onSure={() => remove.mutate(item.itemId)}>
        {t('items.removeShort')}
      </ConfirmButton>
    );
  const { label, act } = {
    change_photos: { label: t('items.changePhotos'), act: change },
    no_template: { label: t('templates.without'), act: without },
    without_photos: { label: t('items.withoutPhotos'), act: skip },
    retry: { label: t('items.retry'), act: resume },
    resume: { label: t('items.resume'), act: resume },
    write_again: { label: t('items.writeAgain'), act: resume },
  }[step];
  return (
    <Button size={size} disabled={act.isPending} onClick={() => act.mutate(item.itemId)}>
      {label}
    </Button>
  );
};

export const RetryNowButton = ({ item }: { item: ItemView }) => {
  const resume = useItemAction('items.resume');
  if (item.stop || item.says?.key !== 'items.waiting') return null;
  return (
    <div className={styles.steps}>
      <Button disabled={resume.isPending} onClick={() => resume.mutate(item.itemId)}>
        {t('items.retry')}
      </Button>
    </div>
  );
};

const isAllowanceError = ({ code }: ItemError): boolean =>
  ['ALLOWANCE_USED', 'WOULD_BE_EXTRA', 'USAGE_LIMIT'].includes(code);

type NextStepsProps = { item: ItemReference; stop: ItemError };

type NextStepButtonsProps = NextStepsProps & { steps: readonly NextStep[]; size: ButtonSize };

const NextStepButtons = ({ item, stop, steps, size }: NextStepButtonsProps) => {
  const [connecting, setConnecting] = useState(false);
  return (
    <>
      {isAllowanceError(stop) && (
        <Button component={Link} href="/account" size={size}>
          {t('items.moreListings')}
        </Button>
      )}
      {steps.map((step) => (
        <NextStepButton key={step} step={step} item={item} size={size} onConnect={() => setConnecting(true)} />
      ))}
      {connecting && <ConnectDialog onClose={() => setConnecting(false)} />}
    </>
  );
};

/** A row has room for one button. The pane of the item has all of them. */
export const FirstNextStep = ({ item, stop }: NextStepsProps) => {
  const first = isAllowanceError(stop) ? [] : stop.next.slice(0, 1).filter((step) => step !== 'remove');
  return <NextStepButtons item={item} stop={stop} steps={first} size="compact-sm" />;
};

export const formatItemError = ({ says, sentence }: ItemError): string => translateMessage(says, sentence);

export const NextSteps = ({ item, stop }: NextStepsProps) => {
  const allowance = useAppState().data?.allowance;
  return (
    <div className={styles.stop}>
      <p>
        <UntrustedText text={formatItemError(stop)} fold={300} />{' '}
        {isAllowanceError(stop) && allowance && formatRemainingListings(allowance)}
      </p>
      <div className={styles.steps}>
        <NextStepButtons item={item} stop={stop} steps={stop.next} size="sm" />
      </div>
    </div>
  );
};
