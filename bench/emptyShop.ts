import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { openInBrowserHost } from '../test/e2e/browserHost.ts';
import type { Host } from '../test/e2e/host.ts';

/** `root` is a fresh folder around the data folder. */
export type EmptyShop = { host: Host; root: string; dataDir: string };

/** Opens a host that is connected to an empty shop, and closes and removes it after the measurement. */
export const withEmptyShop = async <T>(browser: Browser, measure: (shop: EmptyShop) => Promise<T>): Promise<T> => {
  const root = await mkdtemp(join(tmpdir(), 'bench-shop-'));
  const dataDir = join(root, 'data');
  const host = await openInBrowserHost(dataDir, browser);
  try {
    await host.page.getByRole('button', { name: 'Start with an empty shop' }).click();
    await host.page.getByRole('region', { name: 'Drop photos here' }).waitFor();
    return await measure({ host, root, dataDir });
  } finally {
    await host.stop();
    await rm(root, { recursive: true, force: true });
  }
};

/** Loads the window again and waits until it shows items that were added to its database. */
export const reloadWithItems = async (page: Page): Promise<void> => {
  await page.reload();
  await page
    .getByRole('listitem', { name: /film camera/ })
    .first()
    .waitFor();
};
