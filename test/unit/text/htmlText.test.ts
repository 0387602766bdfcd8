import { expect, test } from 'vitest';
import { convertHtmlToText } from '../../../src/text/htmlText.ts';

test('HTML is converted to text with line breaks, decoded entities and no scripts', () => {
  expect(
    convertHtmlToText(
      '<h2>A</h2><ul><li>b&nbsp;c</li><li>&#x64;&eacute;</li></ul><script>x("</p>")</script>&lt;i&gt; &#99999999;',
    ),
  ).toBe('A\n– b c\n– dé\n<i> \ufffd');
  expect(convertHtmlToText('<table><tr><td>Width</td><td>3 cm</td></tr><tr><th>a<b>b</b></th></tr></table>')).toBe(
    'Width 3 cm\nab',
  );
});

test.each([
  ['a < b & c > d &copyright &constructor;', 'a < b & c > d ©right &constructor;'],
  ['<b title="a > b">x</b><!-- <p>no</p> -->y', 'xy'],
  ['one<script>two', 'one'],
  ['one <style>p{}</style><SCRIPT>two</SCRIPT >three', 'one three'],
  ['text\nof lines\n\n  without tags', 'text\nof lines\nwithout tags'],
])('the HTML %j is converted to the text a browser would show', (html, text) => {
  expect(convertHtmlToText(html)).toBe(text);
});

test.each(['<div>', '</i><b>', '<table><tr><td>', '<!--', '<a b="', '<script></scrip', '&amp', '<'])(
  'repeated unclosed HTML %j is converted in linear time',
  (part) => {
    const count = 200_000;
    const text = convertHtmlToText(`here ${part.repeat(count)}`);
    expect(text.startsWith('here')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(count * part.length + 5);
  },
);
