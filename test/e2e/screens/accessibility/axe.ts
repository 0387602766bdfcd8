import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { sampledBy } from '../../../helpers/sample.ts';
import { expect } from '../page.ts';

/** The rules about colours. Only these can differ between light and dark. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Replaces axe's source code (half a megabyte) if the page has loaded it already. */
const alreadyThere = 'undefined';

const findViolations = async (page: Page, rules: string[] | null): Promise<string[]> => {
  const axe = new AxeBuilder(rules === null ? { page } : { page, axeSource: alreadyThere })
    // axe cannot run in the description's sandboxed frame.
    .exclude('iframe')
    .options({ resultTypes: ['violations'] });
  if (rules !== null) axe.withRules(rules);
  // Pages have no frames from other origins, so axe needs no second page to merge its results.
  const found = await axe.setLegacyMode().analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
};

/** Waits until the page has not changed for a tenth of a second, so that axe does not check a transition. */
const waitUntilStill = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const rest = (): ReturnType<typeof setTimeout> =>
          setTimeout(() => {
            changes.disconnect();
            resolve();
          }, 100);
        let timer = rest();
        const changes = new MutationObserver(() => {
          clearTimeout(timer);
          timer = rest();
        });
        changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      }),
  );

const expectNoProblemIn = async (page: Page, colorScheme: 'light' | 'dark', rules: string[] | null): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  await waitUntilStill(page);
  expect(await findViolations(page, rules), `${colorScheme}, ${sampledBy}`).toEqual([]);
};

/** Expects no problem with a light page, and optionally none with the colours of a dark page. */
export const expectNoAxeProblem = async (page: Page, { dark }: { dark: boolean }): Promise<void> => {
  await expectNoProblemIn(page, 'light', null);
  if (dark) await expectNoProblemIn(page, 'dark', colourRules);
};
