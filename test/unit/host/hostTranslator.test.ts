import { expect, test } from 'vitest';
import { createHostTranslator, sessionLanguage } from '../../../src/host/hostTranslator.ts';

test('without the variables of POSIX, as on Windows, the texts are in the language of the system', async () => {
  const translator = createHostTranslator([sessionLanguage({}, 'de-AT')]);
  await translator.setLanguage('system');
  expect(translator.language()).toBe('de');
});

test('the variables of a terminal count for more than the language of the system', () => {
  expect(sessionLanguage({ LANG: 'fr_CH.UTF-8' }, 'de-AT')).toBe('fr_CH.UTF-8');
  expect(sessionLanguage({ LC_ALL: 'it_IT', LANG: 'fr_CH.UTF-8' }, 'de-AT')).toBe('it_IT');
});
