import { expect, test } from 'vitest';
import type { DrawnCeremony } from '../../../src/core/presence/ceremonies.ts';
import { createHostTranslator } from '../../../src/host/hostTranslator.ts';
import { chooseCeremonyWay } from '../../../src/main/ceremony/chooseCeremonyWay.ts';
import { createSystemPrompt } from '../../../src/main/ceremony/createSystemPrompt.ts';

test.each([
  ['darwin', ['system', 'passkey'], true, 'systemPrompt'],
  ['darwin', ['passkey'], true, 'browser'],
  ['darwin', ['system'], false, 'window'],
  ['linux', ['passkey'], false, 'browser'],
  ['linux', ['pin'], false, 'window'],
  ['win32', ['passkey', 'system'], false, 'window'],
] as const)('on %s with %j, the desktop app confirms in the right place', (platform, kinds, hasPrompt, way) => {
  expect(chooseCeremonyWay(platform, kinds, hasPrompt)).toBe(way);
});

const drawn: DrawnCeremony = {
  of: 'approvals',
  approvals: [
    {
      approvalId: 'a',
      asker: { kind: 'person' },
      act: 'Publish on MKT_US',
      title: 'Blue \u202eshoes',
      mainFact: null,
      changes: [],
      facts: [],
      photoUrl: null,
    },
  ],
  total: { amounts: [{ currency: 'USD', minor: 35 }], unknown: 0 },
};
const translator = Promise.resolve(createHostTranslator(['en']));

test('the dialog of macOS says what the person confirms', async () => {
  const reasons: string[] = [];
  const preferences = {
    canPromptTouchID: () => true,
    promptTouchID: async (reason: string) => {
      reasons.push(reason);
      if (reasons.length > 1) throw new Error('cancelled');
    },
  };
  const prompt = createSystemPrompt({ platform: 'darwin', preferences, translator });
  expect([await prompt?.confirm(drawn), await prompt?.confirm(drawn)]).toEqual([true, false]);
  expect(reasons[0]).toBe('confirm: Publish on MKT_US “Blue ‹U+202E›shoes”; Total: US$0.35; Asked by: you');
});

test('the dialog is offered only on a Mac that can show it', () => {
  const promptTouchID = (): Promise<never> => Promise.reject(new Error('not here'));
  const create = (platform: NodeJS.Platform, canPrompt: boolean) =>
    createSystemPrompt({ platform, preferences: { canPromptTouchID: () => canPrompt, promptTouchID }, translator });
  expect([create('darwin', false), create('linux', true)]).toEqual([undefined, undefined]);
});
