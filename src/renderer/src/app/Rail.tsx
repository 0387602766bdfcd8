import { Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useLocation } from 'wouter';
import { screenAt } from '../../../ipc/screens.ts';
import type { AppState } from '../api/types.ts';
import { RailProgress } from './RailProgress.tsx';
import { screens, type Screen } from './screens.ts';
import { t } from '../i18n/t.ts';
import styles from './frame.module.css';

const RailLink = ({ screen, narrow }: { screen: Screen; narrow: boolean }) => {
  const [path] = useLocation();
  const { id, path: to, label, icon: Sign, useCount, countLabel } = screen;
  const count = useCount();
  const name = t(label);
  return (
    <Tooltip label={name} position="right" disabled={!narrow}>
      <Link
        href={to}
        className={styles.link}
        aria-current={screenAt(path).id === id ? 'page' : undefined}
        aria-label={count > 0 ? t(countLabel, { place: name, count }) : name}
      >
        <Sign size={20} stroke={1.6} aria-hidden />
        <span className={styles.name}>{name}</span>
        {count > 0 && <span className={styles.count}>{count}</span>}
      </Link>
    </Tooltip>
  );
};

const inGroup = (group: Screen['group']): readonly Screen[] => screens.filter((screen) => screen.group === group);
const work = inGroup('work');
const setup = inGroup('setup');

/** The screens of the companion, with what waits in them. Icons only where it is narrow. */
export const Rail = ({ state }: { state: AppState }) => {
  const narrow = useMediaQuery('(max-width: 960px)') ?? false;
  const links = (some: readonly Screen[]) =>
    some.map((screen) => <RailLink key={screen.id} screen={screen} narrow={narrow} />);
  return (
    <nav className={styles.sidebar} aria-label={t('app.places')}>
      <p className={styles.brand}>{narrow ? 'LC' : 'Listing Companion'}</p>
      {links(work)}
      <div className={styles.space} />
      <RailProgress paused={state.paused} />
      {links(setup)}
    </nav>
  );
};
