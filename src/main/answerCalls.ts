import type { WebContents } from 'electron';
import * as z from 'zod';
import { problemView } from '../core/base/problem.ts';
import type { Running } from '../host/runCompanion.ts';
import type { Handlers } from '../ipc/calls.ts';
import { serveCalls } from '../ipc/serveCalls.ts';
import type { AnswerCall } from './serveWindowCalls.ts';
import { dragPhotos } from './window/dragPhotos.ts';

const decision = z.object({
  name: z.enum(['approvals.approve', 'approvals.decline']),
  input: z.object({ approvalId: z.string() }),
});

type AnswerCallsContext = {
  running: Pick<Running, 'handlers' | 'photo' | 'seen'>;
  /** Told before the person's answer to an approval is carried out: in which window it was given. */
  onAnswer: (contents: WebContents, approvalId: string) => void;
};

/** Answers calls by the companion; what begins in one window, as a drag does, is done there. */
export const answerCalls = ({ running, onAnswer }: AnswerCallsContext): AnswerCall => {
  const handlersFor = (contents: WebContents): Handlers => ({
    ...running.handlers,
    'app.dragOut': ({ photoIds }) => dragPhotos(contents, running.photo, photoIds),
  });
  return (contents, name, input) => {
    const decided = decision.safeParse({ name, input });
    running.seen();
    if (decided.success) onAnswer(contents, decided.data.input.approvalId);
    return serveCalls(handlersFor(contents), problemView)(name, input);
  };
};
