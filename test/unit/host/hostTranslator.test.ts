import { expect, test } from 'vitest';
import { createHostTranslator, getSessionLanguage } from '../../../src/host/hostTranslator.ts';

test('without locale variables, the companion uses the system language', async () => {
  const translator = createHostTranslator([getSessionLanguage({}, 'de-AT')]);
  await translator.setLanguage('system');
  expect(translator.language()).toBe('de');
});

test('the locale variables of a terminal take precedence over the system language', () => {
  expect(getSessionLanguage({ LANG: 'fr_CH.UTF-8' }, 'de-AT')).toBe('fr_CH.UTF-8');
  expect(getSessionLanguage({ LC_ALL: 'it_IT', LANG: 'fr_CH.UTF-8' }, 'de-AT')).toBe('it_IT');
});
