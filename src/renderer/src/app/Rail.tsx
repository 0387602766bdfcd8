import { Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconBuildingStore,
  IconBell,
  IconChartBar,
  IconHelp,
  IconPhoto,
  IconReceipt,
  IconRobot,
  IconSettings,
  IconTags,
  IconUserCircle,
  type Icon,
} from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { useWaiting } from '../screens/approvals/useWaiting.ts';
import { useAssistants, useNotifications } from '../api/queries.ts';
import type { AppState } from '../api/types.ts';
import { RailProgress } from './RailProgress.tsx';
import { t } from '../i18n/t.ts';
import styles from './frame.module.css';

type Entry = {
  to: string;
  name: string;
  icon: Icon;
  count?: number;
  /** What the count is of: things that wait for the person, or that are new. */
  says?: 'app.withWaiting' | 'app.withNew';
};

const isHere = (to: string, path: string): boolean =>
  to === '/' ? path === '/' || path.startsWith('/items') : path.startsWith(to);

const RailLink = ({ entry, narrow }: { entry: Entry; narrow: boolean }) => {
  const [path] = useLocation();
  const { to, name, icon: Sign, count = 0, says = 'app.withWaiting' } = entry;
  return (
    <Tooltip label={name} position="right" disabled={!narrow}>
      <Link
        href={to}
        className={styles.link}
        aria-current={isHere(to, path) ? 'page' : undefined}
        aria-label={count > 0 ? t(says, { place: name, count }) : name}
      >
        <Sign size={20} stroke={1.6} aria-hidden />
        <span className={styles.name}>{name}</span>
        {count > 0 && <span className={styles.count}>{count}</span>}
      </Link>
    </Tooltip>
  );
};

/** The places of the companion, with what waits in them. Icons only where it is narrow. */
export const Rail = ({ state }: { state: AppState }) => {
  const narrow = useMediaQuery('(max-width: 960px)') ?? false;
  const waiting = useWaiting().length;
  const pairings = useAssistants().data?.pairings.length ?? 0;
  const fresh = useNotifications().data?.fresh ?? 0;
  return (
    <nav className={styles.rail} aria-label={t('app.places')}>
      <p className={styles.brand}>{narrow ? 'LC' : 'Listing Companion'}</p>
      <RailLink narrow={narrow} entry={{ to: '/', name: t('app.items'), icon: IconPhoto }} />
      <RailLink narrow={narrow} entry={{ to: '/listings', name: t('app.listings'), icon: IconTags }} />
      <RailLink
        narrow={narrow}
        entry={{ to: '/approvals', name: t('app.approvals'), icon: IconReceipt, count: waiting }}
      />
      <RailLink narrow={narrow} entry={{ to: '/insights', name: t('app.insights'), icon: IconChartBar }} />
      <RailLink
        narrow={narrow}
        entry={{
          to: '/notifications',
          name: t('app.notifications'),
          icon: IconBell,
          count: fresh,
          says: 'app.withNew',
        }}
      />
      <div className={styles.space} />
      <RailProgress paused={state.paused} />
      <RailLink
        narrow={narrow}
        entry={{ to: '/assistants', name: t('app.assistants'), icon: IconRobot, count: pairings }}
      />
      <RailLink narrow={narrow} entry={{ to: '/selling', name: t('selling.title'), icon: IconBuildingStore }} />
      <RailLink narrow={narrow} entry={{ to: '/account', name: t('app.account'), icon: IconUserCircle }} />
      <RailLink narrow={narrow} entry={{ to: '/settings', name: t('app.settings'), icon: IconSettings }} />
      <RailLink narrow={narrow} entry={{ to: '/help', name: t('app.help'), icon: IconHelp }} />
    </nav>
  );
};
