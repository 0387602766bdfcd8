import type { Clock } from '../core/base/ports.ts';
import type { ProblemView } from '../core/base/problem.ts';
import type { CallInput } from '../ipc/calls.ts';
import { createCallServer } from '../ipc/serveCalls.ts';
import type { RunningCompanion } from './runCompanion.ts';

type PauseSwitchContext = {
  running: Pick<RunningCompanion, 'handlers' | 'requireProof' | 'problemOf' | 'ceremonies'>;
  clock: Pick<Clock, 'sleep'>;
  /** Shows the ceremony of this token, and nothing else of the companion. */
  openCeremony: (token: string) => Promise<void>;
  /** Says what the person can do if no passkey or PIN is left to confirm with. */
  explainLostProofs: () => void;
  /** Says why the work was neither paused nor resumed. */
  explainRefusal: (problem: ProblemView) => void;
};

const pollMs = 200;

const waitForProof = async (
  { running: { ceremonies }, clock }: PauseSwitchContext,
  token: string,
): Promise<string | null> => {
  for (;;) {
    const { state, proofId } = ceremonies.readCeremony(token);
    if (!['begun', 'open', 'checking'].includes(state)) return proofId;
    await clock.sleep(pollMs);
  }
};

/**
 * Creates the function with which the tray and the menu pause or resume all work. Once a proof is set up, the person
 * confirms to resume, as in the window.
 */
export const createPauseSwitch = (context: PauseSwitchContext): ((paused: boolean) => Promise<void>) => {
  const { handlers, requireProof, problemOf } = context.running;
  const serve = createCallServer({ handlers, requireProof, problemView: problemOf });
  const sendPause = async (input: CallInput<'app.pause'>, proofId?: string): Promise<void> => {
    const reply = await serve('app.pause', input, proofId === undefined ? {} : { proofId });
    if (!reply.ok) context.explainRefusal(reply.problem);
  };
  return async (paused) => {
    const input = { paused };
    const { presence } = await handlers['app.state']({});
    if (paused || !presence.isSetUp) return sendPause(input);
    const { token, kinds } = await handlers['proofs.begin']({ call: 'app.pause', input });
    if (kinds.length === 0) return context.explainLostProofs();
    await context.openCeremony(token);
    const proofId = await waitForProof(context, token);
    if (proofId !== null) await sendPause(input, proofId);
  };
};
