import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { callCore, type ItemView } from '../../../api/call.ts';
import { useItemMutation } from '../../../api/useCall.ts';
import { CorePicture } from '../../../components/CorePicture.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { t, translateMessage } from '../../../i18n.ts';
import arrangeStyles from '../arrange/arrange.module.css';
import styles from './listingPhotos.module.css';
import { isRunningStage, type RunningStage } from './photoChangeStage.ts';

type PhotoChange = NonNullable<ItemView['photoChange']>;
type EndedStage = Exclude<PhotoChange['stage'], RunningStage | 'draft'>;

const formatRunningState = ({ stage, isCancelled, progress: { done, total } }: PhotoChange): string => {
  if (stage === 'preparing') return t('listingPhotos.preparing');
  if (stage === 'checking') return t('listingPhotos.checking');
  return t(isCancelled ? 'listingPhotos.restoring' : 'listingPhotos.sending', { done, total });
};

const PictureRow = ({ name, urls }: { name: string; urls: readonly string[] }) => (
  <ul className={styles.row} aria-label={name}>
    {urls.map((url, at) => (
      <li key={`${at} ${url}`}>
        <CorePicture src={url} alt={t('parts.photos.place', { at: at + 1, of: urls.length })} width={72} height={72} />
      </li>
    ))}
  </ul>
);

const WishedPhotos = ({ change: { photos } }: { change: PhotoChange }) => (
  <PictureRow name={t('listingPhotos.wished')} urls={photos.flatMap(({ thumbUrl }) => thumbUrl ?? [])} />
);

const useChangeCall = (
  name: 'listingPhotos.cancel' | 'listingPhotos.close' | 'listingPhotos.retry' | 'listingPhotos.restore',
  itemId: string,
  onDone?: () => void,
) => useItemMutation(() => callCore(name, { itemId }), onDone);

const RunningChange = ({ itemId, change }: { itemId: string; change: PhotoChange }) => {
  const cancel = useChangeCall('listingPhotos.cancel', itemId);
  const { sent, stage, trouble } = change;
  return (
    <>
      <p role="status">{formatRunningState(change)}</p>
      <progress
        className={styles.progress}
        aria-label={t('listingPhotos.title')}
        {...(stage === 'sending' && sent ? { value: sent.bytes, max: Math.max(1, sent.total) } : {})}
      />
      <p className={arrangeStyles.soft}>{translateMessage(trouble, t('listingPhotos.locked'))}</p>
      <div className={arrangeStyles.acts}>
        <Button disabled={change.isCancelled || cancel.isPending} onClick={() => cancel.mutate()}>
          {t('listingPhotos.stop')}
        </Button>
      </div>
    </>
  );
};

const WriteAgainButton = ({ itemId }: { itemId: string }) => {
  const [, go] = useLocation();
  const write = useItemMutation(
    () => callCore('listingPhotos.writeAgain', { itemId }),
    (made) => go(`/items/${encodeURIComponent(made.itemId)}`),
  );
  return (
    <Button disabled={write.isPending} onClick={() => write.mutate()}>
      {t('listingPhotos.writeAgain')}
    </Button>
  );
};

type EndedProps = { itemId: string; change: PhotoChange; onClose: () => void };

const CloseButton = ({ itemId, name, onClose }: { itemId: string; name: string; onClose: () => void }) => {
  const forget = useChangeCall('listingPhotos.close', itemId, onClose);
  return (
    <Button disabled={forget.isPending} onClick={() => forget.mutate()}>
      {name}
    </Button>
  );
};

const RetryButton = ({ itemId }: { itemId: string }) => {
  const retry = useChangeCall('listingPhotos.retry', itemId);
  return (
    <Button variant="ink" disabled={retry.isPending} onClick={() => retry.mutate()}>
      {t('listingPhotos.retry')}
    </Button>
  );
};

const RestoreButton = ({ itemId }: { itemId: string }) => {
  const restore = useChangeCall('listingPhotos.restore', itemId);
  return (
    <Button disabled={restore.isPending} onClick={() => restore.mutate()}>
      {t('listingPhotos.restore')}
    </Button>
  );
};

const endedActions: Record<EndedStage, (given: EndedProps) => ReactNode> = {
  taken: (given) => <CloseButton {...given} name={t('listingPhotos.close')} />,
  ignored: (given) => (
    <>
      <WriteAgainButton {...given} />
      <CloseButton {...given} name={t('listingPhotos.keep')} />
    </>
  ),
  mixed: (given) => (
    <>
      <RetryButton {...given} />
      <RestoreButton {...given} />
      <WriteAgainButton {...given} />
    </>
  ),
  differs: (given) => <CloseButton {...given} name={t('listingPhotos.close')} />,
  left: (given) => <CloseButton {...given} name={t('listingPhotos.close')} />,
  unknown: (given) => (
    <>
      <RetryButton {...given} />
      {!given.change.isUnsettled && <CloseButton {...given} name={t('listingPhotos.keep')} />}
    </>
  ),
};

const EndedChange = ({ stage, ...given }: EndedProps & { stage: EndedStage }) => {
  const { problem, shownUrls } = given.change;
  return (
    <>
      <p role="status" className={stage === 'taken' ? undefined : arrangeStyles.look}>
        {t(`listingPhotos.ended.${stage}`)}
      </p>
      {stage === 'ignored' && <p>{t('listingPhotos.nextStep')}</p>}
      {stage === 'ignored' && <WishedPhotos change={given.change} />}
      {problem && (
        <p className={arrangeStyles.soft}>
          <UntrustedText text={translateMessage(problem.says, problem.sentence)} />
        </p>
      )}
      {shownUrls.length > 0 && <PictureRow name={t('listingPhotos.shown')} urls={shownUrls} />}
      <div className={arrangeStyles.acts}>{endedActions[stage](given)}</div>
    </>
  );
};

type Props = { item: ItemView; change: PhotoChange; onClose: () => void };

/** What the companion does with the new photos, and what the listing shows afterwards. */
export const PhotoChangeState = ({ item: { itemId }, change, onClose }: Props) => {
  const { stage } = change;
  if (stage === 'draft') return null;
  if (isRunningStage(stage))
    return (
      <>
        <WishedPhotos change={change} />
        <RunningChange itemId={itemId} change={change} />
      </>
    );
  return (
    <>
      {stage === 'taken' && <WishedPhotos change={change} />}
      <EndedChange itemId={itemId} change={change} stage={stage} onClose={onClose} />
    </>
  );
};
