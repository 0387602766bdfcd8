import { bridgeGuards } from './bridgeGuards.ts';
import { bindingGuards } from './bindingGuards.ts';
import { claimGuards } from './claimGuards.ts';
import { decisionGuards } from './decisionGuards.ts';
import type { Guard } from './guard.ts';
import { outsideGuards } from './outsideGuards.ts';
import { presenceGuards } from './presenceGuards.ts';
import { ceremonyGuards } from './ceremonyGuards.ts';
import { proofGuards } from './proofGuards.ts';
import { repeatGuards } from './repeatGuards.ts';
import { requestGuards } from './requestGuards.ts';
import { spendingGuards } from './spendingGuards.ts';
import { throttleGuards } from './throttleGuards.ts';

export const allGuards: readonly Guard[] = [
  ...requestGuards,
  ...repeatGuards,
  ...decisionGuards,
  ...presenceGuards,
  ...proofGuards,
  ...ceremonyGuards,
  ...bindingGuards,
  ...claimGuards,
  ...spendingGuards,
  ...throttleGuards,
  ...bridgeGuards,
  ...outsideGuards,
];
