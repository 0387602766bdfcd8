type ScreenDefinition = {
  /** The path after the `#` in the window's address. A deep link uses the screen's id instead. */
  path: `/${string}`;
  onePath: `/${string}` | null;
  menuText: `shell.${string}`;
  menu: 'view' | null;
  accelerator: string | null;
};

/** All screens of the window, in menu order. The desktop menu, deep links, router and sidebar use this table. */
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

/** Returns the path of a screen, or of one entry in the screen; null if there is no such path. */
export const findScreenPath = (name: string, oneId?: string): string | null => {
  if (!isScreenId(name)) return null;
  const { path, onePath } = screenDefinitions[name];
  if (oneId === undefined) return path;
  return onePath === null ? null : `${onePath}/${oneId}`;
};

/** Keeps an invalid escape unchanged instead of throwing, because a link can come from any program. */
const decodePathPart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** Returns the screen at a path and the id of the open entry. An unknown path shows the items. */
export const getScreenAt = (path: string): { id: ScreenId; openId: string | null } => {
  const [first = '', openId, ...deeper] = path.split('/').filter((part) => part !== '');
  const id = screenIds.find((screenId) => {
    const { path: own, onePath } = screenDefinitions[screenId];
    return openId === undefined ? own === `/${first}` : onePath === `/${first}` && deeper.length === 0;
  });
  return id === undefined || openId === undefined
    ? { id: id ?? 'items', openId: null }
    : { id, openId: decodePathPart(openId) };
};
