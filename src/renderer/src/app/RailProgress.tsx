import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useItemCounts } from '../api/itemQueries.ts';
import { useIntakes } from '../api/intake/intakeStore.ts';
import { usePause } from '../api/usePause.ts';
import { t } from '../i18n/t.ts';
import styles from './frame.module.css';

/** The sum of everything under way: one line in the rail, gone when nothing moves. */
export const RailProgress = ({ paused }: { paused: boolean }) => {
  const pause = usePause();
  const { running, done: runningDone } = useItemCounts() ?? { running: 0, done: 0 };
  const intakes = useIntakes();
  const count = running + intakes.length;
  if (count === 0) return null;
  const done = (running * runningDone) / count;
  const words = t('app.onTheWay', { count });
  return (
    <div className={styles.progress}>
      <div className={styles.progressWords}>
        <span className={styles.name}>{words}</span>
        {!paused && (
          <Tooltip label={t('settings.pause.all')} position="right">
            <ActionIcon size="sm" aria-label={t('settings.pause.all')} onClick={() => pause.mutate(true)}>
              <IconPlayerPause size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <div
        role="progressbar"
        aria-label={words}
        aria-valuenow={Math.round(done * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        className={styles.line}
      >
        <div style={{ width: `${Math.round(done * 100)}%` }} />
      </div>
    </div>
  );
};
