import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import type { AppState } from '../api/types.ts';
import { ApprovalsScreen } from '../screens/approvals/ApprovalsScreen.tsx';
import { AssistantsScreen } from '../screens/assistants/AssistantsScreen.tsx';
import { ItemsScreen } from '../screens/items/ItemsScreen.tsx';
import { SettingsScreen } from '../screens/settings/SettingsScreen.tsx';
import { Announcer } from './Announcer.tsx';
import { DropEverywhere } from './DropEverywhere.tsx';
import { KeysHelp } from './KeysHelp.tsx';
import { Rail } from './Rail.tsx';
import { TopLines } from './TopLines.tsx';
import styles from './frame.module.css';

/** Loaded when it is first looked at. */
const ListingsScreen = lazy(async () => ({
  default: (await import('../screens/listings/ListingsScreen.tsx')).ListingsScreen,
}));

const InsightsScreen = lazy(async () => ({
  default: (await import('../screens/insights/InsightsScreen.tsx')).InsightsScreen,
}));

/** The rail, the lines above, and the screen. The whole of it is the drop zone. */
export const Frame = ({ state }: { state: AppState }) => (
  <div className={styles.frame}>
    <Rail state={state} />
    <div className={styles.main}>
      <TopLines state={state} />
      <main className={styles.screen}>
        <Switch>
          <Route path="/listings/:listingId?">
            {({ listingId }) => (
              <Suspense>
                <ListingsScreen openId={listingId === undefined ? null : decodeURIComponent(listingId)} />
              </Suspense>
            )}
          </Route>
          <Route path="/approvals" component={ApprovalsScreen} />
          <Route path="/insights">
            <Suspense>
              <InsightsScreen />
            </Suspense>
          </Route>
          <Route path="/assistants" component={AssistantsScreen} />
          <Route path="/settings" component={SettingsScreen} />
          <Route path="/items/:itemId">{({ itemId }) => <ItemsScreen openId={decodeURIComponent(itemId)} />}</Route>
          <Route>
            <ItemsScreen openId={null} />
          </Route>
        </Switch>
      </main>
    </div>
    <DropEverywhere />
    <Announcer />
    <KeysHelp />
  </div>
);
