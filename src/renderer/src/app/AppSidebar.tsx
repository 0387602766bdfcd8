import { ActionIcon, Tooltip } from '@mantine/core';
import { IconFlask, IconPlayerPause } from '@tabler/icons-react';
import { useItemCounts } from '../api/itemQueries.ts';
import { useIntakeRows } from '../api/intakes.ts';
import { usePauseAll } from '../api/queries.ts';
import { t } from '../i18n.ts';
import styles from './frame.module.css';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useLocation } from 'wouter';
import { getScreenAt } from '../../../ipc/screens.ts';
import type { AppState } from '../api/call.ts';
import { screens, type Screen } from './screens.ts';

const SidebarProgress = ({ paused }: { paused: boolean }) => {
  const pause = usePauseAll();
  const { running, done: runningDone } = useItemCounts() ?? { running: 0, done: 0 };
  const intakes = useIntakeRows();
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

/** A narrow sidebar has room for two digits beside an icon. The name of the link has the whole number. */
const formatShortCount = (count: number): string => (count > 99 ? '99+' : String(count));

const SidebarLink = ({ screen, narrow }: { screen: Screen; narrow: boolean }) => {
  const [path] = useLocation();
  const { id, path: to, label, icon: Sign, useCount, countLabel, waitsForPerson } = screen;
  const count = useCount();
  const name = t(label);
  const link = (
    <Link
      href={to}
      className={styles.link}
      aria-current={getScreenAt(path).id === id ? 'page' : undefined}
      aria-label={count > 0 ? t(countLabel, { place: name, count }) : name}
    >
      <Sign size={20} stroke={1.6} aria-hidden />
      <span className={styles.name}>{name}</span>
      {count > 0 && (
        <span className={styles.count} data-waits={waitsForPerson || undefined}>
          {narrow ? formatShortCount(count) : count}
        </span>
      )}
    </Link>
  );
  // A tooltip renders twice even if it stays hidden, so a wide window has no tooltips.
  if (!narrow) return link;
  return (
    <Tooltip label={name} position="right">
      {link}
    </Tooltip>
  );
};

/** Says on every screen that the companion is in practice mode. */
const PracticeChip = ({ narrow }: { narrow: boolean }) => (
  <Tooltip label={t('app.line.practice')} position="right">
    <span className={styles.practice}>
      {narrow ? <IconFlask size={16} role="img" aria-label={t('app.practice')} /> : t('app.practice')}
    </span>
  </Tooltip>
);

const listScreensInGroup = (group: Screen['group']): readonly Screen[] =>
  screens.filter((screen) => screen.group === group);
const workScreens = listScreensInGroup('work');
const setupScreens = listScreensInGroup('setup');

export const AppSidebar = ({ state }: { state: AppState }) => {
  const narrow = useMediaQuery('(max-width: 960px)') ?? false;
  const renderScreenLinks = (some: readonly Screen[]) =>
    some.map((screen) => <SidebarLink key={screen.id} screen={screen} narrow={narrow} />);
  return (
    <nav className={styles.sidebar} aria-label={t('app.places')}>
      <div className={styles.brand}>
        <p>{narrow ? 'LC' : 'Listing Companion'}</p>
        {state.service.kind === 'practice' && <PracticeChip narrow={narrow} />}
      </div>
      {renderScreenLinks(workScreens)}
      <div className={styles.space} />
      <SidebarProgress paused={state.paused} />
      {renderScreenLinks(setupScreens)}
    </nav>
  );
};
