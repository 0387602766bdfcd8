import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const long = Array.from({ length: 40 }, (_, at) => `<p>Paragraph ${at + 1} of a long description.</p>`).join('');

const setLongDescription = async (page: Page): Promise<void> => {
  await expect(page.locator('#review-title')).toBeVisible();
  await page.evaluate((html) => {
    const { fake } = window;
    fake.listings.lst_fox = { ...fake.listings.lst_fox, description: html };
    fake.changed('listings');
  }, long);
  await expect(page.frameLocator('section iframe').getByText('Paragraph 40 of')).toBeAttached();
};

/** Returns the distance from the caret down to the buttons; negative if they cover it. */
const measureRoomBelowCaret = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const bar = document.querySelector('main section [aria-describedby="publish-hint"]')?.parentElement;
    const field = document.activeElement;
    const range = getSelection()?.getRangeAt(0);
    // A textarea does not report its caret; at the end of the text the caret is in the last line.
    const last =
      field instanceof HTMLTextAreaElement
        ? field.getBoundingClientRect().bottom - parseFloat(getComputedStyle(field).paddingBottom)
        : (range?.getClientRects()[0]?.bottom ??
          (range?.startContainer instanceof Element
            ? range.startContainer.getBoundingClientRect().bottom
            : Number.POSITIVE_INFINITY));
    return (bar?.getBoundingClientRect().top ?? 0) - last;
  });
const expectCaretVisible = (page: Page): Promise<void> =>
  expect.poll(() => measureRoomBelowCaret(page)).toBeGreaterThanOrEqual(4);

/** Clicks at the end of the text, like a person who wants to add a line. */
const pressAtTheEnd = async (page: Page): Promise<void> => {
  const words = page.locator('main [role=textbox].ProseMirror');
  await expect(words).toBeFocused();
  await words.evaluate(({ parentElement }) => parentElement?.scrollTo(0, parentElement.scrollHeight));
  const pane = (await page.locator('main section:has(#publish-hint)').first().boundingBox()) ?? { y: 0, height: 0 };
  const bar = (await page.locator('#publish-hint').locator('..').boundingBox())?.y ?? 0;
  const text = (await words.boundingBox()) ?? { x: 0, y: 0, height: 0 };
  const box = (await words.locator('..').boundingBox()) ?? { y: 0, height: 0 };
  const y = Math.min(bar - 12, box.y + box.height - 24, pane.y + pane.height - 12);
  await page.mouse.click(text.x + 40, y);
  await page.keyboard.press('End');
};

for (const [language, width, height] of [
  ['en', 1280, 800],
  ['de', 1280, 800],
  ['en', 480, 600],
  ['fr', 480, 600],
] as const)
  test(`the caret in a long description stays above the buttons: ${language}, ${width} × ${height}`, async ({
    open,
  }) => {
    const page = await open('#/items/fox', { language }, { width });
    await page.setViewportSize({ width, height });
    await setLongDescription(page);
    await page
      .locator('main section:has(> div > iframe), main section:has(> iframe)')
      .getByRole('button')
      .last()
      .click();
    await pressAtTheEnd(page);
    for (const key of ['Enter', 'x', 'Enter', 'Enter', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'Backspace', 'Control+End']) {
      await page.keyboard.press(key);
      await expectCaretVisible(page);
    }
    await page.keyboard.type('Many words more that go on and on until the line is full and a second one is begun.');
    await expectCaretVisible(page);
  });

test('the caret at the end of a description’s HTML stays above the buttons', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await setLongDescription(page);
  await page.getByRole('button', { name: 'Edit description' }).press('Enter');
  await page.getByRole('button', { name: 'Show HTML' }).press('Enter');
  await page.getByRole('textbox', { name: 'Description', exact: true }).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('<p>One line more</p>');
  await expectCaretVisible(page);
});
