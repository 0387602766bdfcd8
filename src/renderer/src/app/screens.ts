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
import { useAssistantList, useServiceNotifications } from '../api/queries.ts';
import { useItemCounts } from '../api/itemQueries.ts';
import { createLazyComponent } from '../components/createLazyComponent.tsx';
import { usePendingApprovals } from '../screens/approvals/usePrompts.ts';
import { isCountedNews } from '../screens/notifications/notificationGroups.ts';
import { ItemsScreen } from '../screens/items/ItemsScreen.tsx';

type ScreenProps = { openId: string | null };

type ScreenView = {
  label: `app.${Exclude<ScreenId, 'selling'>}` | 'selling.title';
  icon: Icon;
  group: 'work' | 'setup';
  /** A hook that returns how many things in the screen are pending or new. */
  useCount: () => number;
  countLabel: 'app.withWaiting' | 'app.withUnread';
  /** True if the counted things wait for an answer of the person. The other counts are plain figures. */
  waitsForPerson: boolean;
  Component: ComponentType<ScreenProps>;
};

const screenDefaults = { useCount: () => 0, countLabel: 'app.withWaiting', waitsForPerson: false } as const;

const screenViews: Record<ScreenId, ScreenView> = {
  items: {
    ...screenDefaults,
    label: 'app.items',
    icon: IconPhoto,
    group: 'work',
    useCount: () => useItemCounts()?.toCheck ?? 0,
    Component: ItemsScreen,
  },
  listings: {
    ...screenDefaults,
    label: 'app.listings',
    icon: IconTags,
    group: 'work',
    Component: createLazyComponent(async () => (await import('../screens/listings/ListingsScreen.tsx')).ListingsScreen),
  },
  approvals: {
    ...screenDefaults,
    label: 'app.approvals',
    icon: IconReceipt,
    group: 'work',
    useCount: () => usePendingApprovals().length,
    waitsForPerson: true,
    Component: createLazyComponent(
      async () => (await import('../screens/approvals/ApprovalsScreen.tsx')).ApprovalsScreen,
    ),
  },
  insights: {
    ...screenDefaults,
    label: 'app.insights',
    icon: IconChartBar,
    group: 'work',
    Component: createLazyComponent(async () => (await import('../screens/insights/InsightsScreen.tsx')).InsightsScreen),
  },
  notifications: {
    ...screenDefaults,
    label: 'app.notifications',
    icon: IconBell,
    group: 'work',
    useCount: () => useServiceNotifications().data?.rows.filter(isCountedNews).length ?? 0,
    countLabel: 'app.withUnread',
    Component: createLazyComponent(
      async () => (await import('../screens/notifications/NotificationsScreen.tsx')).NotificationsScreen,
    ),
  },
  assistants: {
    ...screenDefaults,
    label: 'app.assistants',
    icon: IconRobot,
    group: 'setup',
    useCount: () => useAssistantList().data?.pairings.length ?? 0,
    waitsForPerson: true,
    Component: createLazyComponent(
      async () => (await import('../screens/assistants/AssistantsScreen.tsx')).AssistantsScreen,
    ),
  },
  selling: {
    ...screenDefaults,
    label: 'selling.title',
    icon: IconBuildingStore,
    group: 'setup',
    Component: createLazyComponent(async () => (await import('../screens/selling/SellingScreen.tsx')).SellingScreen),
  },
  account: {
    ...screenDefaults,
    label: 'app.account',
    icon: IconUserCircle,
    group: 'setup',
    Component: createLazyComponent(async () => (await import('../screens/account/AccountScreen.tsx')).AccountScreen),
  },
  settings: {
    ...screenDefaults,
    label: 'app.settings',
    icon: IconSettings,
    group: 'setup',
    Component: createLazyComponent(async () => (await import('../screens/settings/SettingsScreen.tsx')).SettingsScreen),
  },
  help: {
    ...screenDefaults,
    label: 'app.help',
    icon: IconHelp,
    group: 'setup',
    Component: createLazyComponent(async () => (await import('../screens/help/HelpScreen.tsx')).HelpScreen),
  },
};

export type Screen = ScreenView & { id: ScreenId; path: string };

export const getScreen = (id: ScreenId): Screen => ({ ...screenViews[id], id, path: screenDefinitions[id].path });

export const screens: readonly Screen[] = screenIds.map(getScreen);
