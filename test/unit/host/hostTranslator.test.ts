import { expect, test } from 'vitest';
import { createHostTranslator, readSessionLanguage } from '../../../src/host/hostTranslator.ts';

test('without the variables of POSIX, as on Windows, the texts are in the language of the system', async () => {
  const translator = createHostTranslator([readSessionLanguage({}, 'de-AT')]);
  await translator.setLanguage('system');
  expect(translator.language()).toBe('de');
});

test('the variables of a terminal count for more than the language of the system', () => {
  expect(readSessionLanguage({ LANG: 'fr_CH.UTF-8' }, 'de-AT')).toBe('fr_CH.UTF-8');
  expect(readSessionLanguage({ LC_ALL: 'it_IT', LANG: 'fr_CH.UTF-8' }, 'de-AT')).toBe('it_IT');
});
