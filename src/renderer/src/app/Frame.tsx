import { Route, Switch } from 'wouter';
import type { AppState } from '../api/types.ts';
import { late } from '../parts/late.tsx';
import { ItemsScreen } from '../screens/items/ItemsScreen.tsx';
import { Tour } from '../screens/connect/Tour.tsx';
import { Announcer } from './Announcer.tsx';
import { DropEverywhere } from './DropEverywhere.tsx';
import { KeysHelp } from './KeysHelp.tsx';
import { Rail } from './Rail.tsx';
import { TopLines } from './TopLines.tsx';
import styles from './frame.module.css';

/** Loaded when it is first looked at. */
const ListingsScreen = late(async () => (await import('../screens/listings/ListingsScreen.tsx')).ListingsScreen);
const InsightsScreen = late(async () => (await import('../screens/insights/InsightsScreen.tsx')).InsightsScreen);
const SellingScreen = late(async () => (await import('../screens/selling/SellingScreen.tsx')).SellingScreen);
const AccountScreen = late(async () => (await import('../screens/account/AccountScreen.tsx')).AccountScreen);
const ApprovalsScreen = late(async () => (await import('../screens/approvals/ApprovalsScreen.tsx')).ApprovalsScreen);
const AssistantsScreen = late(
  async () => (await import('../screens/assistants/AssistantsScreen.tsx')).AssistantsScreen,
);
const NewsScreen = late(async () => (await import('../screens/news/NewsScreen.tsx')).NewsScreen);
const SettingsScreen = late(async () => (await import('../screens/settings/SettingsScreen.tsx')).SettingsScreen);
const HelpScreen = late(async () => (await import('../screens/help/HelpScreen.tsx')).HelpScreen);

/** The rail, the lines above, and the screen. The whole of it is the drop zone. */
export const Frame = ({ state }: { state: AppState }) => (
  <div className={styles.frame}>
    <Rail state={state} />
    <div className={styles.main}>
      <TopLines state={state} />
      <Tour seen={state.settings.tourSeen} />
      <main className={styles.screen}>
        <Switch>
          <Route path="/listings/:listingId?">
            {({ listingId }) => (
              <ListingsScreen openId={listingId === undefined ? null : decodeURIComponent(listingId)} />
            )}
          </Route>
          <Route path="/approvals" component={ApprovalsScreen} />
          <Route path="/insights" component={InsightsScreen} />
          <Route path="/notifications" component={NewsScreen} />
          <Route path="/assistants" component={AssistantsScreen} />
          <Route path="/selling" component={SellingScreen} />
          <Route path="/account" component={AccountScreen} />
          <Route path="/settings" component={SettingsScreen} />
          <Route path="/help" component={HelpScreen} />
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
