import { expect, test } from 'vitest';
import { sanitizeHtml } from '../../../../src/practice/writer/model/readAnswer.ts';

test.each([
  ['one\n\ntwo & three', '<p>one</p><p>two &amp; three</p>'],
  ['<P CLASS=x>Hi<br/>there', '<p>Hi<br>there</p>'],
  ['<p>one<p>two', '<p>one</p><p>two</p>'],
  ['<ul><li><b>a</ul></b>', '<ul><li><b>a</b></li></ul>'],
  ['</p></div>text<p>', '<p></p>text<p></p>'],
  ['<scr<script></script>ipt>alert(1)</script>', 'ipt&gt;alert(1)'],
  ['<img alt=">" onerror=alert(1)><p>x</p>', '<p>x</p>'],
  ['<p onclick="alert(1)" onclick=\'x\'>x</p', '<p>x</p>'],
  ['<!-- <script> --><p>a</p><!-- open', '<p>a</p>'],
  ['<p>1 < 2 &lt;b&gt; &#60; AT&T</p>', '<p>1 &lt; 2 &lt;b&gt; &lt; AT&amp;T</p>'],
  ['<p>see www.evil.example/a and HTTPS://evil.example now</p>', '<p>see  and  now</p>'],
])('HTML is sanitized: %j becomes %j', (given, safe) => {
  expect(sanitizeHtml(given)).toBe(safe);
});

test('sanitized HTML contains only allowed elements without attributes', () => {
  const pieces = [
    '<',
    '>',
    '"',
    "'",
    '<p',
    ' onload=x',
    '<script>',
    '</',
    'b>',
    '<svg/onload=',
    '<!--',
    '-->',
    'ü',
    '&',
  ];
  let seed = 7;
  const next = (): string => pieces[(seed = (seed * 16_807) % 2_147_483_647) % pieces.length] ?? '';
  for (let round = 0; round < 2_000; round += 1) {
    const safe = sanitizeHtml(Array.from({ length: 12 }, next).join(''));
    expect(safe.replace(/<\/?(?:p|br|h3|h4|ul|ol|li|strong|em|b|i)>/g, '')).not.toMatch(/[<>]/);
  }
});

test('a long hostile text is sanitized within two seconds', () => {
  const startedAt = performance.now();
  sanitizeHtml('<a "'.repeat(3_000));
  sanitizeHtml('<b>'.repeat(4_000));
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
