import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import type { Scenario } from '../../renderer/fakeCompanion.ts';
import { expect, test } from './page.ts';

type Screen = { hash: string; scenario: Scenario; then?: (page: Page) => Promise<void> };

const screens: Record<string, Screen> = {
  'first run': {
    hash: '',
    scenario: { state: { connection: 'none', keychain: { kind: 'memory', problem: 'Locked.' } } },
  },
  connect: {
    hash: '',
    scenario: { state: { connection: 'none' } },
    then: async (page) => {
      await page.getByRole('button', { name: 'Connect my account' }).click();
      await page.getByLabel('E-mail').fill('robin@example.org');
      await page.getByRole('button', { name: 'E-mail me a code' }).click();
      await page.getByLabel('6-digit code').waitFor();
    },
  },
  'no items': { hash: '', scenario: { items: 'none' } },
  items: { hash: '', scenario: { state: { connection: 'reconnect', offline: 'The service cannot be reached.' } } },
  'many items': { hash: '', scenario: { items: 'many' } },
  review: { hash: '#/items/fox', scenario: {} },
  writing: { hash: '#/items/book', scenario: {} },
  stopped: { hash: '#/items/laptop', scenario: {} },
  live: { hash: '#/items/shoes', scenario: {} },
  keys: { hash: '', scenario: {}, then: (page) => page.keyboard.press('?') },
  approvals: { hash: '#/approvals', scenario: { waiting: ['publish'] }, then: (page) => page.keyboard.press('Escape') },
  'no approvals': { hash: '#/approvals', scenario: { history: false } },
  prompt: { hash: '', scenario: { waiting: ['publish', 'end'] }, then: (page) => page.waitForTimeout(1_400) },
  'prompt with changes': { hash: '', scenario: { waiting: ['revise'] } },
  'final prompt': { hash: '', scenario: { waiting: ['end'] }, then: (page) => page.waitForTimeout(1_400) },
  assistants: { hash: '#/assistants', scenario: { pairings: true } },
  settings: { hash: '#/settings', scenario: {} },
};

for (const colorScheme of ['light', 'dark'] as const)
  for (const [name, { hash, scenario, then }] of Object.entries(screens))
    test(`${name} has nothing for axe to say (${colorScheme})`, async ({ open }) => {
      const page = await open(hash, scenario, { colorScheme });
      await page.locator('main, [role=dialog]').first().waitFor();
      await page.waitForTimeout(400);
      await then?.(page);
      await page.waitForTimeout(300);
      // The description's frame has no script to look with; its page is our own few tags.
      const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
      ).toEqual([]);
    });
