/** A screen of the window. Icons and components are the window's own matter. */
type ScreenDefinition = {
  /** The path behind the `#` of the window's address. Deep links use the screen's id instead. */
  path: `/${string}`;
  /** The path prefix of a single entry of the screen; null if entries have no address. */
  onePath: `/${string}` | null;
  menuText: `shell.${string}`;
  /** The menu that lists it automatically; null if it has its own line in another menu. */
  menu: 'view' | null;
  accelerator: string | null;
};

/**
 * All screens, in menu order. The desktop menu, deep links, router and sidebar are built from this table. The window
 * adds icon, name and component in `app/screens.ts`.
 */
export const screenDefinitions = {
  items: { path: '/', onePath: '/items', menuText: 'shell.items', menu: 'view', accelerator: 'CmdOrCtrl+1' },
  listings: {
    path: '/listings',
    onePath: '/listings',
    menuText: 'shell.listings',
    menu: 'view',
    accelerator: 'CmdOrCtrl+2',
  },
  approvals: {
    path: '/approvals',
    onePath: null,
    menuText: 'shell.approvals',
    menu: 'view',
    accelerator: 'CmdOrCtrl+3',
  },
  insights: { path: '/insights', onePath: null, menuText: 'shell.insights', menu: 'view', accelerator: 'CmdOrCtrl+4' },
  assistants: {
    path: '/assistants',
    onePath: null,
    menuText: 'shell.assistants',
    menu: 'view',
    accelerator: 'CmdOrCtrl+5',
  },
  selling: { path: '/selling', onePath: null, menuText: 'shell.selling', menu: 'view', accelerator: null },
  notifications: {
    path: '/notifications',
    onePath: null,
    menuText: 'shell.notifications',
    menu: 'view',
    accelerator: null,
  },
  account: { path: '/account', onePath: null, menuText: 'shell.account', menu: 'view', accelerator: null },
  settings: { path: '/settings', onePath: null, menuText: 'shell.settings', menu: null, accelerator: 'CmdOrCtrl+,' },
  help: { path: '/help', onePath: null, menuText: 'shell.guide', menu: null, accelerator: null },
} as const satisfies Record<string, ScreenDefinition>;

export type ScreenId = keyof typeof screenDefinitions;

const isScreenId = (name: string): name is ScreenId => Object.hasOwn(screenDefinitions, name);

export const screenIds: readonly ScreenId[] = Object.keys(screenDefinitions).filter(isScreenId);

/** Returns the path of a screen or of one entry in it; null if there is no such screen or entries have no address. */
export const findScreenPath = (name: string, oneId?: string): string | null => {
  if (!isScreenId(name)) return null;
  const { path, onePath } = screenDefinitions[name];
  if (oneId === undefined) return path;
  return onePath === null ? null : `${onePath}/${oneId}`;
};

/** Decodes a part of a path. An invalid escape is left as it is, because links can come from anywhere. */
const decodePathPart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** Returns the screen of a path and the entry that is open in it. An unknown path shows the items. */
export const findScreenAt = (path: string): { id: ScreenId; openId: string | null } => {
  const [first = '', openId, ...deeper] = path.split('/').filter((part) => part !== '');
  const id = screenIds.find((screenId) => {
    const { path: own, onePath } = screenDefinitions[screenId];
    return openId === undefined ? own === `/${first}` : onePath === `/${first}` && deeper.length === 0;
  });
  return id === undefined || openId === undefined
    ? { id: id ?? 'items', openId: null }
    : { id, openId: decodePathPart(openId) };
};
