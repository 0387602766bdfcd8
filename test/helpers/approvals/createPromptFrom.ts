import { parseRouteInput, type RawInput, type RouteName } from '../../../src/contract/index.ts';
import { renderPrompt, gatherBoundSubject } from '../../../src/core/approvals/prompts/index.ts';
import type { Reads } from '../../../src/core/approvals/prompts/promptDefinition.ts';
import type { Prompt } from '../../../src/core/storage/tables/approvalRecord.ts';

/** Creates the prompt of a request from these reads, without a companion. */
export const createPromptFrom = async (route: RouteName, input: RawInput, reads: Reads): Promise<Prompt> => {
  const parsed = parseRouteInput(route, input);
  if (!parsed.ok) throw new Error('The request is malformed.');
  const asked = { route, input: parsed.input, account: 'a#u_1', askerId: 'p', key: 'k' };
  const { subject, moment } = await gatherBoundSubject(asked, 'assistant', reads);
  return renderPrompt(subject, moment);
};
