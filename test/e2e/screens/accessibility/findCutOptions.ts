import type { Page } from 'playwright/test';

/** Returns the selected options that are cut off because they do not fit in their field. */
export const findCutOptions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll('select')].flatMap((select) => {
      const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(select);
      const words = select.selectedOptions[0]?.text ?? '';
      if (pen) pen.font = font;
      const needed = pen?.measureText(words).width ?? 0;
      const room = select.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd);
      // Allows one pixel for rounding.
      return select.checkVisibility() && needed > room + 1 ? [`“${words}”: ${Math.round(needed)} in ${room}`] : [];
    });
  });
