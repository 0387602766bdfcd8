import { expect, test } from 'vitest';
import { replaceOldTitles } from '../../../src/text/oldTitles.ts';

test.each([
  ['a sentence', '<p>You see: Item, black – see photos.</p>', '<p>You see: Reebok Classic – see photos.</p>'],
  ['each occurrence', '<h2>Item, black</h2><p>Item, black</p>', '<h2>Reebok Classic</h2><p>Reebok Classic</p>'],
  ['a part of a longer word', '<p>Item, blackened</p>', '<p>Item, blackened</p>'],
  ['an attribute', '<p title="Item, black">A shoe</p>', '<p title="Item, black">A shoe</p>'],
  ['another space', 'Item,&nbsp;black or Item,\nblack', 'Reebok Classic or Reebok Classic'],
])(
  'a former title in a description is replaced only in whole words of the visible text: %s',
  (_where, description, expected) => {
    expect(replaceOldTitles(description, ['Item, black'], 'Reebok Classic')).toBe(expected);
  },
);

test('the title itself is not replaced, although a former title is a part of it', () => {
  const description = '<p>Red fox figurine</p><p>Red fox</p>';
  expect(replaceOldTitles(description, ['Red fox'], 'Red fox figurine')).toBe(
    '<p>Red fox figurine</p><p>Red fox figurine</p>',
  );
  expect(replaceOldTitles(description, ['Red fox figurine'], 'Red fox')).toBe('<p>Red fox</p><p>Red fox</p>');
});

test('characters with a meaning in HTML are found and written as entities', () => {
  expect(replaceOldTitles('<p>Salt &amp; pepper, 5&quot;</p>', ['Salt & pepper, 5"'], 'Shakers <2>')).toBe(
    '<p>Shakers &lt;2&gt;</p>',
  );
});

test('a former title of one word is not replaced in the description', () => {
  expect(replaceOldTitles('<p>The Item is new.</p>', ['Item'], 'Red fox')).toBe('<p>The Item is new.</p>');
});
