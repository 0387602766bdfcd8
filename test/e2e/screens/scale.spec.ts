import type { Locator, Page } from 'playwright/test';
import { screenDefinitions } from '../../../src/ipc/screens.ts';
import type { Scenario } from '../../helpers/fakes/fakeCompanion.ts';
import { expect, test } from './page.ts';

const screenPaths = Object.values(screenDefinitions).map(({ path }) => path);
const openPaths = ['/items/fox', '/listings/lst_fox', ...screenPaths];

type Scale = { sizes: string[]; weights: string[]; heights: string[] };

/** Returns each text size, weight and height of a control on the screen, with an example. */
const readScale = (page: Page): Promise<Scale> =>
  page.evaluate(() => {
    const isVisible = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && getComputedStyle(element).visibility === 'visible';
    };
    const describe = (element: Element): string =>
      `${element.tagName} ${element.className} ${element.textContent}`.slice(0, 90);
    const collect = (elements: Element[], read: (element: Element) => string): string[] => [
      ...new Map(elements.map((element) => [read(element), `${read(element)}: ${describe(element)}`])).values(),
    ];
    const texts = [...document.querySelectorAll('body *')].filter(
      (element) =>
        !element.closest('svg, script, style') &&
        isVisible(element) &&
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
    );
    const controls = [
      ...document.querySelectorAll(
        '.mantine-Button-root, .mantine-ActionIcon-root, input.mantine-Input-input, select.mantine-Input-input',
      ),
    ].filter(isVisible);
    return {
      sizes: collect(texts, (element) => getComputedStyle(element).fontSize),
      weights: collect(texts, (element) => getComputedStyle(element).fontWeight),
      heights: collect(controls, (element) => `${Math.round(element.getBoundingClientRect().height)}px`),
    };
  });

const listOthers = (found: string[], allowed: readonly string[]): string[] =>
  found.filter((entry) => !allowed.includes(entry.split(':')[0] ?? ''));

for (const path of openPaths) {
  test(`the text and the controls of ${path} use the sizes of the design scale`, async ({ open }) => {
    const page = await open(`#${path}`, {});
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
    const { sizes, weights, heights } = await readScale(page);
    expect.soft(listOthers(sizes, ['12px', '14px', '17px', '24px'])).toEqual([]);
    expect.soft(listOthers(weights, ['400', '600'])).toEqual([]);
    await expect.soft(page.locator('button[data-variant=ink]:visible').nth(1)).toBeHidden();
    expect.soft(listOthers(heights, ['28px', '36px', '44px'])).toEqual([]);
  });
}

type RowKind = { path: string; name: string; px: number; find: (page: Page) => Locator };

/** The rows of lists and tables. A height includes the line between two rows. */
const rowKinds: RowKind[] = [
  { path: '/', name: 'links in the sidebar', px: 40, find: (page) => page.getByRole('navigation').getByRole('link') },
  {
    ...{ path: '/listings', name: 'listings', px: 48 },
    find: (page) => page.getByRole('table', { name: 'Listings' }).getByRole('rowgroup').getByRole('row'),
  },
  {
    ...{ path: '/approvals', name: 'waiting approvals', px: 72 },
    find: (page) => page.getByRole('region', { name: 'Waiting for you' }).getByRole('listitem'),
  },
  {
    ...{ path: '/approvals', name: 'events of the history', px: 56 },
    find: (page) => page.getByRole('group', { name: 'Rows of the history' }).getByRole('listitem'),
  },
  { path: '/notifications', name: 'notifications', px: 56, find: (page) => page.locator('main ul > li:visible') },
  {
    ...{ path: '/insights', name: 'oldest live listings', px: 40 },
    find: (page) => page.getByRole('table').last().getByRole('row'),
  },
  {
    ...{ path: '/assistants', name: 'what assistants did', px: 56 },
    find: (page) => page.getByRole('list', { name: 'Newest first' }).getByRole('listitem'),
  },
  { path: '/account', name: 'plans', px: 48, find: (page) => page.getByRole('table').first().getByRole('row') },
  { path: '/account', name: 'facts', px: 32, find: (page) => page.locator('main dl > div') },
  {
    path: '/settings',
    name: 'backups',
    px: 40,
    find: (page) => page.getByRole('region', { name: 'Copies of your data' }).getByRole('listitem'),
  },
];

const waitingApprovals = ['publish', 'revise', 'end'] as const;

for (const { path, name, px, find } of rowKinds)
  test(`the ${name} are rows of ${px} px`, async ({ open }) => {
    const page = await open(`#${path}`, path === '/approvals' ? { waiting: [...waitingApprovals] } : {});
    if (path === '/approvals') await page.keyboard.press('Escape');
    await expect(find(page).first()).toBeVisible();
    const heights = await find(page).evaluateAll((rows) =>
      rows.map((row) => Math.round(row.getBoundingClientRect().height)),
    );
    for (const height of heights) expect.soft([px, px + 1]).toContain(height);
  });

test('the title of every screen has the same position', async ({ open }) => {
  const places: [string, number, number][] = [];
  for (const path of screenPaths) {
    const page = await open(`#${path}`, {}, { instead: true });
    const title = page.getByRole('heading', { level: 1 });
    const box = await title.boundingBox();
    places.push([path, box?.x ?? 0, box?.y ?? 0]);
  }
  expect(places).toEqual(places.map(([path]) => [path, places[0]?.[1], places[0]?.[2]]));
});

/** The list in a screen, and scenarios in which it is short and long. */
const longLists: { path: string; short: Scenario; long: Scenario; find: (page: Page) => Locator }[] = [
  {
    path: '/',
    short: { items: 'ready' },
    long: { items: 'many' },
    find: (page) => page.getByRole('list', { name: 'Items' }),
  },
  {
    path: '/listings',
    short: { listings: 60 },
    long: { listings: 400 },
    find: (page) => page.getByRole('table', { name: 'Listings' }),
  },
  {
    path: '/items/grouping',
    short: { items: 'sheet' },
    long: { items: 'sheet200' },
    find: (page) => page.getByRole('list', { name: 'Items to check' }),
  },
];

/** Returns whether the element, or its nearest ancestor that scrolls, always has a scroll bar. */
const hasSteadyScrollBar = (list: Locator): Promise<boolean> =>
  list.evaluate((element) => {
    const readOverflow = (of: Element): string => getComputedStyle(of).overflowY;
    let scroller = element;
    while (readOverflow(scroller) === 'visible' && scroller.parentElement) scroller = scroller.parentElement;
    return readOverflow(scroller) === 'scroll';
  });

for (const { path, short, long, find } of longLists) {
  test(`the list of ${path} always has a scroll bar when it is long, and only when needed when it is short`, async ({
    open,
  }) => {
    const page = await open(`#${path}`, short);
    await expect(find(page)).toBeVisible();
    expect(await hasSteadyScrollBar(find(page))).toBe(false);
    const longPage = await open(`#${path}`, long, { instead: true });
    await expect(find(longPage)).toBeVisible();
    expect(await hasSteadyScrollBar(find(longPage))).toBe(true);
  });
}
