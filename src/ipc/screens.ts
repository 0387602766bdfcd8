/** A screen of the window as every part of the companion knows it; what it looks like is for the window to say. */
type ScreenDefinition = {
  /** Where it is in the window, behind the `#` of its address. A link from outside names it by its id. */
  path: `/${string}`;
  /** What the path of one thing in it begins with; null when nothing in it has an address of its own. */
  onePath: `/${string}` | null;
  /** The text of its line in the menus. */
  menuText: `shell.${string}`;
  /** The menu that lists it by itself; the others have a line of their own in another. */
  menu: 'view' | null;
  accelerator: string | null;
};

/**
 * Every screen, in the order of the menu. The desktop's menu, the links from outside, the router and the sidebar are made
 * of this table; the window adds icon, name and component (`app/screens.ts` there).
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

/** In the order of the menu. */
export const screenIds: readonly ScreenId[] = Object.keys(screenDefinitions).filter(isScreenId);

/** The path of a screen, or of one thing in it; null when there is no such screen or nothing in it has an address. */
export const pathOfScreen = (name: string, oneId?: string): string | null => {
  if (!isScreenId(name)) return null;
  const { path, onePath } = screenDefinitions[name];
  if (oneId === undefined) return path;
  return onePath === null ? null : `${onePath}/${oneId}`;
};

/** A part of a path as it is meant; as it stands where its escapes are none, as anybody may have written the link. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The screen that a path of the window shows, and the one thing that is open in it. What is no screen's shows the items. */
export const screenAt = (path: string): { id: ScreenId; openId: string | null } => {
  const [first = '', openId, ...deeper] = path.split('/').filter((part) => part !== '');
  const id = screenIds.find((one) => {
    const { path: own, onePath } = screenDefinitions[one];
    return openId === undefined ? own === `/${first}` : onePath === `/${first}` && deeper.length === 0;
  });
  return id === undefined || openId === undefined
    ? { id: id ?? 'items', openId: null }
    : { id, openId: decoded(openId) };
};
