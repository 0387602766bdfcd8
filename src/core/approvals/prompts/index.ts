import type { ParsedInput, RouteName } from '../../../contract/index.ts';
import { drawPlain } from './plain.ts';
import type { Drawn, Reads } from './prompt.ts';
import { drawPublish } from './publish.ts';

/** Draws what the person is shown for a request, from fresh reads. */
export const drawPrompt = (name: RouteName, input: unknown, reads: Reads): Promise<Drawn> =>
  name === 'publishListing'
    ? drawPublish(input as ParsedInput<'publishListing'>, reads)
    : drawPlain(name, input as Parameters<typeof drawPlain>[1], reads);
