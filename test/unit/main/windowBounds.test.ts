import { expect, test } from 'vitest';
import { computeWindowBounds } from '../../../src/main/window/windowBounds.ts';

const main = { x: 0, y: 25, width: 1920, height: 1055 };
const right = { x: 1920, y: 0, width: 2560, height: 1400 };
const usual = { x: 340, y: 143, width: 1240, height: 820 };

test.each([
  ['first start', null, [main], usual],
  [
    'saved position on the first screen',
    { x: 100, y: 100, width: 900, height: 700 },
    [main],
    { x: 100, y: 100, width: 900, height: 700 },
  ],
  [
    'saved position on the second screen',
    { x: 2000, y: 50, width: 900, height: 700 },
    [main, right],
    { x: 2000, y: 50, width: 900, height: 700 },
  ],
  [
    'saved position on a removed screen',
    { x: 2000, y: 50, width: 900, height: 700 },
    [main],
    { x: 510, y: 203, width: 900, height: 700 },
  ],
  [
    'saved title bar above every screen',
    { x: 100, y: -600, width: 900, height: 700 },
    [main],
    { x: 510, y: 203, width: 900, height: 700 },
  ],
  [
    'only an edge was visible',
    { x: 1880, y: 100, width: 900, height: 700 },
    [main],
    { x: 510, y: 203, width: 900, height: 700 },
  ],
  [
    'partly outside but reachable',
    { x: 1500, y: 100, width: 900, height: 700 },
    [main],
    { x: 1500, y: 100, width: 900, height: 700 },
  ],
  ['larger than the screen', { x: 0, y: 25, width: 3000, height: 2000 }, [main], main],
] as const)('the window opens at a reachable position: %s', (_what, saved, [first, ...others], expected) => {
  expect(computeWindowBounds(saved, [first, ...others])).toEqual(expected);
});

test('the window fills a screen that is smaller than the default size', () => {
  const small = { x: 0, y: 0, width: 1024, height: 600 };
  expect(computeWindowBounds(null, [small])).toEqual(small);
});
