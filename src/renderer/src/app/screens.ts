import {
  IconBell,
  IconBuildingStore,
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
import type { ComponentType } from 'react';
import { screenDefinitions, screenIds, type ScreenId } from '../../../ipc/screens.ts';
import { useAssistants, useNotifications } from '../api/queries.ts';
import { useItemCounts } from '../api/itemQueries.ts';
import { lazyComponent } from '../components/lazyComponent.tsx';
import { useWaitingQuestions } from '../screens/approvals/useQuestions.ts';
import { isUnread } from '../screens/notifications/notificationGroups.ts';
import { ItemsScreen } from '../screens/items/ItemsScreen.tsx';

/** The props of every screen: the id of the open thing, from the path, if any. */
type ScreenProps = { openId: string | null };

type ScreenView = {
  label: `app.${Exclude<ScreenId, 'selling'>}` | 'selling.title';
  icon: Icon;
  group: 'work' | 'setup';
  /** Returns how many things in the screen are pending or new. A hook: called in every render of its link. */
  useCount: () => number;
  countLabel: 'app.withWaiting' | 'app.withUnread';
  Component: ComponentType<ScreenProps>;
};

const common = { useCount: () => 0, countLabel: 'app.withWaiting' } as const;

/** The sidebar entry and the component of each screen; all components but the first are loaded on demand. */
const views: Record<ScreenId, ScreenView> = {
  items: {
    ...common,
    label: 'app.items',
    icon: IconPhoto,
    group: 'work',
    useCount: () => useItemCounts()?.toCheck ?? 0,
    Component: ItemsScreen,
  },
  listings: {
    ...common,
    label: 'app.listings',
    icon: IconTags,
    group: 'work',
    Component: lazyComponent(async () => (await import('../screens/listings/ListingsScreen.tsx')).ListingsScreen),
  },
  approvals: {
    ...common,
    label: 'app.approvals',
    icon: IconReceipt,
    group: 'work',
    useCount: () => useWaitingQuestions().length,
    Component: lazyComponent(async () => (await import('../screens/approvals/ApprovalsScreen.tsx')).ApprovalsScreen),
  },
  insights: {
    ...common,
    label: 'app.insights',
    icon: IconChartBar,
    group: 'work',
    Component: lazyComponent(async () => (await import('../screens/insights/InsightsScreen.tsx')).InsightsScreen),
  },
  notifications: {
    ...common,
    label: 'app.notifications',
    icon: IconBell,
    group: 'work',
    useCount: () => useNotifications().data?.rows.filter(isUnread).length ?? 0,
    countLabel: 'app.withUnread',
    Component: lazyComponent(
      async () => (await import('../screens/notifications/NotificationsScreen.tsx')).NotificationsScreen,
    ),
  },
  assistants: {
    ...common,
    label: 'app.assistants',
    icon: IconRobot,
    group: 'setup',
    useCount: () => useAssistants().data?.pairings.length ?? 0,
    Component: lazyComponent(async () => (await import('../screens/assistants/AssistantsScreen.tsx')).AssistantsScreen),
  },
  selling: {
    ...common,
    label: 'selling.title',
    icon: IconBuildingStore,
    group: 'setup',
    Component: lazyComponent(async () => (await import('../screens/selling/SellingScreen.tsx')).SellingScreen),
  },
  account: {
    ...common,
    label: 'app.account',
    icon: IconUserCircle,
    group: 'setup',
    Component: lazyComponent(async () => (await import('../screens/account/AccountScreen.tsx')).AccountScreen),
  },
  settings: {
    ...common,
    label: 'app.settings',
    icon: IconSettings,
    group: 'setup',
    Component: lazyComponent(async () => (await import('../screens/settings/SettingsScreen.tsx')).SettingsScreen),
  },
  help: {
    ...common,
    label: 'app.help',
    icon: IconHelp,
    group: 'setup',
    Component: lazyComponent(async () => (await import('../screens/help/HelpScreen.tsx')).HelpScreen),
  },
};

export type Screen = ScreenView & { id: ScreenId; path: string };

export const screenOf = (id: ScreenId): Screen => ({ ...views[id], id, path: screenDefinitions[id].path });

export const screens: readonly Screen[] = screenIds.map(screenOf);
