import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright';
import { openInBrowserHost } from '../../test/e2e/browserHost.ts';
import { openInElectron } from '../../test/e2e/electronHost.ts';
import { findChromium } from '../../test/e2e/findChromium.ts';
import type { Host } from '../../test/e2e/host.ts';
import { createShotFolder, createShots } from '../../test/helpers/photos/createShotFolder.ts';
import { takeMedian } from '../compare.ts';
import { call } from '../hosts.ts';
import { scrollPage, traceWork, watchPage, type Longest } from '../watchPage.ts';
import type { ScaleFigure } from './measureShop.ts';

const limits = { frameMs: 50, workMs: 50, keyMs: 100 };
/** The time of one frame in ms, at 60 frames a second. */
const oneFrame = 17;
const scrollMs = 5_000;
/** An odd number, because the figures that depend on the other programs of the machine are medians. */
const rounds = 3;
/** A person types about four characters a second. */
const keyPauseMs = 250;
/** Of each round. */
const dropped = { folders: 30, photos: 5 };

const goTo = (page: Page, hash: string): Promise<void> => page.evaluate((to) => void (location.hash = to), hash);

const openItems = async (page: Page): Promise<void> => {
  await goTo(page, '#/');
  // After a drop, its items are above the others, with the titles of their listings.
  await page
    .getByRole('list', { name: 'Items' })
    .getByRole('listitem', { name: /thing|drop/i })
    .first()
    .waitFor();
};

/**
 * A screen with a long list. `field` is the name of its search field. `prepare` goes to the screen from which a person
 * opens the screen, and `open` also waits for the list.
 */
type Screen = {
  name: string;
  field: string | null;
  words: string;
  prepare?: (page: Page) => Promise<void>;
  open: (page: Page) => Promise<void>;
};

const screens: Screen[] = [
  { name: 'Items', field: 'Find an item', words: 'camera no. 77', open: openItems },
  {
    name: 'Listings',
    field: 'Find a listing',
    words: 'board game 77',
    open: async (page: Page) => {
      await goTo(page, '#/listings');
      await page.getByText(/^[\d,]+ listings/).waitFor();
    },
  },
  {
    name: 'History',
    field: 'Search the history',
    words: 'Quetzalcoat',
    open: async (page: Page) => {
      await goTo(page, '#/approvals');
      await page.getByLabel('Search the history').waitFor();
    },
  },
  {
    name: 'Contact sheet',
    field: null,
    words: '',
    prepare: openItems,
    open: async (page: Page) => {
      // A click by Playwright would lay out the page twice to find what it hits.
      await page.getByRole('link', { name: 'Check the grouping' }).press('Enter');
      await page.getByRole('heading', { name: 'Check the grouping' }).waitFor();
    },
  },
];

const typeWords = async (page: Page, label: string, words: string): Promise<void> => {
  const field = page.getByLabel(label);
  await field.focus();
  for (const key of words) {
    await page.keyboard.press(key);
    await sleep(keyPauseMs);
  }
  await field.fill('');
};

/** Measures the dialog that finds something from any screen. */
const typeInFindDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+k');
  await sleep(keyPauseMs);
  for (const key of 'film camera 7') {
    await page.keyboard.press(key);
    await sleep(keyPauseMs);
  }
  await page.keyboard.press('Escape');
};

/** Exports and copies again and again until `stop` is called. */
const workMeanwhile = (page: Page) => {
  let isOver = false;
  const repeat = async (name: string, input: unknown): Promise<void> => {
    while (!isOver) {
      await call(page, name, input);
      await sleep(100);
    }
  };
  const running = Promise.all([repeat('history.export', { format: 'jsonl' }), repeat('backups.make', {})]);
  // If the measurement fails, the host stops first.
  running.catch(() => undefined);
  return {
    stop: async () => {
      isOver = true;
      await running;
    },
  };
};

/** Drops a card of photos on the items, and shows another screen while they come in. */
const dropCard = async ({ page, dropFolder }: Host, card: string): Promise<void> => {
  await openItems(page);
  await dropFolder(card);
  // The stand-in for Electron pauses the page while the window asks for the paths of the dropped files.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await goTo(page, '#/help');
};

/** `work` is the longest work of one frame in ms of processor time. */
type Measured = { what: string; page: Longest; empty: Longest; work: number };

const measureScreens = async (host: Host, emptyPage: Page, cards: readonly string[]): Promise<Measured[]> => {
  const { page } = host;
  const [longest, longestOfEmpty] = [await watchPage(page), await watchPage(emptyPage)];
  const measure = async (what: string, work: () => Promise<unknown>): Promise<Measured> => {
    const longestWork = await traceWork(page);
    await Promise.all([longest(), longestOfEmpty()]);
    await work();
    const [ofPage, empty] = await Promise.all([longest(), longestOfEmpty()]);
    return { what: `${host.kind}: ${what}`, page: ofPage, empty, work: await longestWork() };
  };
  const measureScreen = async ({ name, field, words, prepare, open }: Screen): Promise<Measured[]> => {
    await prepare?.(page);
    return [
      await measure(`${name}, opened`, () => open(page)),
      await measure(`${name}, scrolled`, () => scrollPage(page, scrollMs)),
      ...(field === null ? [] : [await measure(`${name}, searched`, () => typeWords(page, field, words))]),
    ];
  };
  const measured: Measured[] = [];
  for (const card of cards) {
    await dropCard(host, card);
    for (const screen of screens) measured.push(...(await measureScreen(screen)));
    measured.push(await measure('Find', () => typeInFindDialog(page)));
  }
  return measured;
};

/** An empty page waits for the processor as long, so a frame may be one frame longer than its longest. */
const computeMinLimit = ({ empty }: Measured): number => empty.frame + oneFrame;
const computeExcess = (measured: Measured): number =>
  measured.page.frame - Math.max(limits.frameMs, computeMinLimit(measured));

/**
 * All figures are of the middle round. On a virtual machine, the processor time of a thread can contain time that the
 * host gave to others: a step that takes less than 1 ms took 43 ms once. Our own long work is in each round.
 */
const toFigures = (what: string, ofRounds: readonly Measured[]): ScaleFigure[] => {
  const middle = ofRounds.toSorted((one, other) => computeExcess(one) - computeExcess(other))[
    Math.floor(ofRounds.length / 2)
  ];
  if (!middle) return [];
  const work = takeMedian(ofRounds.map((one) => one.work));
  const key = takeMedian(ofRounds.map(({ page }) => page.key));
  return [
    { what: `${what}: the longest work of a frame`, unit: 'ms', value: work, limit: limits.workMs },
    {
      ...{ what: `${what}: the longest frame`, unit: 'ms', value: middle.page.frame },
      ...{ limit: limits.frameMs, minLimit: computeMinLimit(middle) },
    },
    // Without a key there is no figure.
    ...(key === 0 ? [] : [{ what: `${what}: the slowest key`, unit: 'ms', value: key, limit: limits.keyMs }]),
  ];
};

const measureHost = async (host: Host, browser: Browser, cards: readonly string[]): Promise<ScaleFigure[]> => {
  const emptyPage = await browser.newPage();
  try {
    await host.page.getByRole('listitem', { name: /thing/ }).first().waitFor();
    const work = workMeanwhile(host.page);
    const measured = await measureScreens(host, emptyPage, cards);
    await work.stop();
    return [...Map.groupBy(measured, ({ what }) => what)].flatMap(([what, ofRounds]) => toFigures(what, ofRounds));
  } finally {
    await host.stop();
    await emptyPage.close();
  }
};

/** Creates a card of folders for each round. If a card had the photos of an earlier one, the window would ask. */
const createCards = async (folder: string): Promise<string[]> => {
  const cards = Array.from({ length: rounds }, (_, round) => join(folder, `card ${round}`));
  for (const [round, card] of cards.entries()) {
    const shots = createShots([dropped.photos]).map((shot, at) => ({ ...shot, seed: round * dropped.photos + at }));
    for (let at = 1; at <= dropped.folders; at += 1) await createShotFolder(card, `drop ${round} ${at}`, shots);
  }
  return cards;
};

const openHosts = {
  browser: openInBrowserHost,
  desktop: (dataDir: string): Promise<Host> => openInElectron(dataDir),
};

/** Measures the window of a shop in a host, while an export, a copy and a drop run. */
export const measureWindow = async (root: string, kind: keyof typeof openHosts): Promise<ScaleFigure[]> => {
  const browser = await chromium.launch({ executablePath: findChromium() });
  const folder = mkdtempSync(join(tmpdir(), 'bench-scale-window-'));
  try {
    const cards = await createCards(folder);
    const dataDir = join(folder, 'data');
    cpSync(join(root, 'data'), dataDir, { recursive: true });
    return await measureHost(await openHosts[kind](dataDir, browser), browser, cards);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
