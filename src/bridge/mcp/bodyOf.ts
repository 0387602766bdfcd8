import type { RawInput, RouteName } from '../../contract/index.ts';
import { Problem } from '../../core/base/problem.ts';
import type { ToolContext } from './tool.ts';

/**
 * The body that a read answers, with its age in seconds. Throws `NOT_NOW` where the service has come to ask the person
 * before this read.
 */
export const readService = async (
  { api, by, signal }: ToolContext,
  route: RouteName,
  input: RawInput,
): Promise<{ body: unknown; ageS: number }> => {
  const answer = await api.call({ by, route, input, signal });
  if (answer.state === 'done') return answer;
  throw new Problem('NOT_NOW', 'The service asks the person first before this can be read.');
};
