import { publishFixes, type PublishRefusal } from '../../../../contract/index.ts';

type Words = { sentence: string; label: string; more: string };

/** The ways out of a refused publish, as the contract words them; `more` is empty where there is one way only. */
export const fixes = Object.fromEntries(
  Object.entries(publishFixes).map(([code, { sentence, label, more }]) => [
    code,
    { sentence, label, more: more?.[0]?.label ?? '' },
  ]),
) as Record<PublishRefusal, Words>;
