import { expect, test } from 'vitest';
import { formatModelDescription } from '../../../../src/practice/writer/model/readAnswer.ts';

test.each([
  ['one\n\ntwo & three', '<p>one</p>\n<p>two &amp; three</p>'],
  ['<P CLASS=x>Hi<br/>there', '<p>Hi</p>\n<p>there</p>'],
  ['<h3>Jug</h3><ul><li><b>blue</b></li></ul>', '<p>Jug</p>\n<p>– blue</p>'],
  ['<scr<script></script>ipt>alert(1)</script>', '<p>ipt&gt;alert(1)</p>'],
  ['<img alt=">" onerror=alert(1)><p>x</p>', '<p>x</p>'],
  ['<p onclick="alert(1)" onclick=\'x\'>x</p', '<p>x</p>'],
  ['<!-- <script> --><p>a</p><!-- open', '<p>a</p>'],
  ['<p>1 < 2 &lt;b&gt; &#60; AT&T</p>', '<p>1 &lt; 2 &lt;b&gt; &lt; AT&amp;T</p>'],
  ['<p>see www.evil.example/a and HTTPS://evil.example now</p>', '<p>see and now</p>'],
  ['<p></p><script>alert(1)</script>', ''],
])('a model’s description becomes plain paragraphs: %j becomes %j', (given, safe) => {
  expect(formatModelDescription(given)).toBe(safe);
});

test('a description contains no elements except paragraphs', () => {
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
    const safe = formatModelDescription(Array.from({ length: 12 }, next).join(''));
    expect(safe.replace(/<\/?p>/g, '')).not.toMatch(/[<>]/);
  }
});

test('a long hostile description is read to its end', () => {
  expect(formatModelDescription(`${'<b>'.repeat(4_000)}jug`)).toBe('<p>jug</p>');
  expect(formatModelDescription('<a "'.repeat(3_000))).toBe('');
});
