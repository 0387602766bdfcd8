import { bridgeGuards } from './bridgeGuards.ts';
import { bindingGuards } from './bindingGuards.ts';
import { decisionGuards } from './decisionGuards.ts';
import type { Guard } from './guard.ts';
import { outsideGuards } from './outsideGuards.ts';
import { requestGuards } from './requestGuards.ts';
import { spendingGuards } from './spendingGuards.ts';
import { throttleGuards } from './throttleGuards.ts';

export const allGuards: readonly Guard[] = [
  ...requestGuards,
  ...decisionGuards,
  ...bindingGuards,
  ...spendingGuards,
  ...throttleGuards,
  ...bridgeGuards,
  ...outsideGuards,
];
