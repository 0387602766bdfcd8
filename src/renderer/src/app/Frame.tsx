import { useLocation } from 'wouter';
import { screenAt } from '../../../ipc/screens.ts';
import type { AppState } from '../api/types.ts';
import { Tour } from '../screens/connect/Tour.tsx';
import { Announcer } from './Announcer.tsx';
import { DropEverywhere } from './DropEverywhere.tsx';
import { KeysHelp } from './KeysHelp.tsx';
import { Rail } from './Rail.tsx';
import { screenOf } from './screens.ts';
import { TopLines } from './TopLines.tsx';
import styles from './frame.module.css';

/** The screen that the address names. */
const CurrentScreen = () => {
  const [path] = useLocation();
  const { id, openId } = screenAt(path);
  const { Component } = screenOf(id);
  return <Component openId={openId} />;
};

/** The rail, the lines above, and the screen. The whole of it is the drop zone. */
export const Frame = ({ state }: { state: AppState }) => (
  <div className={styles.frame}>
    <Rail state={state} />
    <div className={styles.main}>
      <TopLines state={state} />
      <Tour seen={state.settings.tourSeen} />
      <main className={styles.screen}>
        <CurrentScreen />
      </main>
    </div>
    <DropEverywhere />
    <Announcer />
    <KeysHelp />
  </div>
);
