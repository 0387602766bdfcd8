import type { ScreenId } from '../../../../ipc/screens.ts';

/** What can be gone to inside of a screen: each is the name of a field or of a heading there. */
const places = {
  settings: [
    'settings.language',
    'settings.theme',
    'settings.photoSize',
    'settings.decision',
    'settings.fromNotification',
    'settings.site',
    'templates.usual',
    'photo.settings.format',
    'photo.settings.guesses',
    'photo.settings.watch',
    'settings.notify.title',
    'settings.pause.title',
    'settings.backups.title',
    'settings.care.title',
  ],
  selling: [
    'selling.market.title',
    'selling.policies.title',
    'selling.defaults.title',
    'selling.templates.title',
    'selling.channels.title',
  ],
  account: [
    'account.connection',
    'account.plan.title',
    'account.money.title',
    'account.profile.title',
    'account.mails.title',
    'account.keys.title',
  ],
  approvals: ['approvals.record.title'],
  assistants: ['assistants.activity.title', 'assistants.clients.title'],
} as const satisfies Partial<Record<ScreenId, readonly string[]>>;

/** The text that names a screen. */
export const screenName = (id: ScreenId): 'selling.title' | `app.${Exclude<ScreenId, 'selling'>}` =>
  id === 'selling' ? 'selling.title' : `app.${id}`;

type PartName = (typeof places)[keyof typeof places][number];

const allPlaces: Partial<Record<ScreenId, readonly PartName[]>> = places;

/** The parts of a screen that can be gone to. */
export const partsOf = (id: ScreenId): readonly PartName[] => allPlaces[id] ?? [];
