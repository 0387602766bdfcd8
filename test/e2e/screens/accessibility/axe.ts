import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { sampledBy } from '../../../helpers/sample.ts';
import { expect } from '../page.ts';

/** The rules that look at colours: of all that axe looks at, only these can differ between light and dark. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** In place of axe's own half a megabyte, where a page has read it already. */
const alreadyThere = 'undefined';

const violations = async (page: Page, rules: string[] | null): Promise<string[]> => {
  const axe = new AxeBuilder(rules === null ? { page } : { page, axeSource: alreadyThere })
    // The description's frame has no script to look with; its page is our own few tags.
    .exclude('iframe')
    .options({ resultTypes: ['violations'] });
  if (rules !== null) axe.withRules(rules);
  // No page is from elsewhere: so axe needs no second page to put its findings together.
  const found = await axe.setLegacyMode().analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
};

/** Resolves once the page has been left as it is for a tenth of a second: before, axe would look at what is on its way. */
const atRest = (page: Page): Promise<void> =>
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

const expectNothingIn = async (page: Page, colorScheme: 'light' | 'dark', rules: string[] | null): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  await atRest(page);
  expect(await violations(page, rules), `${colorScheme}, ${sampledBy}`).toEqual([]);
};

/** Everything that axe has to say about a screen in light colours, and about its colours in dark ones where these are wanted. */
export const expectNothingForAxe = async (page: Page, { dark }: { dark: boolean }): Promise<void> => {
  await expectNothingIn(page, 'light', null);
  if (dark) await expectNothingIn(page, 'dark', colourRules);
};
