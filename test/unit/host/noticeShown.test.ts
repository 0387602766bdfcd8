import { expect, test } from 'vitest';
import type { Notice } from '../../../src/core/base/ports.ts';
import { toNoticeText, findApproveLabel } from '../../../src/host/noticeText.ts';
import { createHostTranslator } from '../../../src/host/hostTranslator.ts';

const translator = createHostTranslator(['en']);
const formatShown = (text: string): string[] => Object.values(toNoticeText(translator, { title: text, text }));

test.each([
  ['<b>free</b>', '‹b›free‹/b›'],
  ['&lt;b&gt;free', '＆lt;b＆gt;free'],
  ['&amp;lt;b', '＆amp;lt;b'],
  ['&#60;b&#x3e;', '＆#60;b＆#x3e;'],
  // Some desktops decode an entity without its semicolon.
  ['&lt b &copy', '＆lt b ＆copy'],
  ['a\\nb \\e[31m', 'a∖nb ∖e[31m'],
  ['<a href="https://shop.example">pay</a>', '‹a href="https://shop.example"›pay‹/a›'],
])('a notification shows %s as plain text', (text, seen) => {
  expect(formatShown(text)).toEqual([seen, seen]);
});

test.each(['Salt & pepper', 'Buy 1 & get 2 &', 'Größe 38 · 12,50 €', '“quoted” · 50% {a} [b]'])(
  'a notification shows %s unchanged',
  (text) => {
    expect(formatShown(text)).toEqual([text, text]);
  },
);

test('a truncated or escaped notification text contains no markup', () => {
  for (const text of [
    `&${'\u200b'}lt;b`,
    `&${' '.repeat(300)}lt;`,
    `${'&'.repeat(200)}lt;`,
    '&\u0000#60;',
    `<${'b'.repeat(400)}>`,
  ])
    expect(formatShown(text).join(' ')).not.toMatch(/[<>\\]|&[#\p{L}\p{N}]/u);
});

const createOffer = (differs: Partial<Notice>): Notice => ({
  kind: 'approvals',
  title: 'Tidy Helper asks: Publish',
  text: '“Rivers & lakes” · Publish for US$0.35',
  yes: { label: 'Publish for US$0.35', digest: 'd' },
  ...differs,
});

test('a notification offers approval only if its whole text is shown unchanged', () => {
  expect(findApproveLabel(translator, createOffer({}))).toBe('Publish for US$0.35');
  const { yes: _yes, ...without } = createOffer({});
  expect(findApproveLabel(translator, without)).toBe(null);
  for (const odd of ['<b>', '&lt;b', '&#60;', 'a\\nb', 'B&B', 'a\u200bb', 'a  b']) {
    expect([odd, findApproveLabel(translator, createOffer({ title: `${odd} asks` }))]).toEqual([odd, null]);
    expect([odd, findApproveLabel(translator, createOffer({ text: `“${odd}”` }))]).toEqual([odd, null]);
    expect([odd, findApproveLabel(translator, createOffer({ yes: { label: `Publish ${odd}`, digest: 'd' } }))]).toEqual(
      [odd, null],
    );
  }
  expect(findApproveLabel(translator, createOffer({ text: 'x'.repeat(1_001) }))).toBe(null);
});
