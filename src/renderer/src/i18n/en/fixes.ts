import { publishFixes, publishRefusals, type PublishRefusal } from '../../../../contract/index.ts';

/** One text a refusal, as the contract words it. */
const texts = <Code extends PublishRefusal>(
  codes: readonly Code[],
  textOf: (fix: (typeof publishFixes)[Code]) => string,
): Record<Code, string> =>
  Object.fromEntries(codes.map((code) => [code, textOf(publishFixes[code])])) as Record<Code, string>;

/** The ways out of a refused publish: what it means, the first step, and the other one where there is one. */
export const fixes = {
  sentence: texts(publishRefusals, ({ sentence }) => sentence),
  label: texts(publishRefusals, ({ label }) => label),
  more: texts(['PACKAGE_WEIGHT_TOO_HEAVY', 'MISSING_POLICIES'], ({ more }) => more?.[0]?.label ?? ''),
};
