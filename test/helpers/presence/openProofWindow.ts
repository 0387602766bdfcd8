import { createHandlers } from '../../../src/host/handlers.ts';
import { createProofGuard } from '../../../src/host/proofHandlers.ts';
import { noShell } from '../../../src/host/shell.ts';
import { Problem, toProblemView } from '../../../src/core/base/problem.ts';
import type { CallAnswer, CallInput, CallName } from '../../../src/ipc/calls.ts';
import { createCallServer } from '../../../src/ipc/serveCalls.ts';
import { showInWindow } from '../pressYes.ts';
import type { World } from '../world.ts';
import { ceremonyOrigin, type SoftwareAuthenticator } from './softwareAuthenticator.ts';
import { minDwellMs, type ShownPrompt } from '../../../src/core/presence/windowSessions.ts';
import { createStartReport } from '../../../src/host/startReport.ts';

/** A window of the companion: it sends calls as every host does, with an optional proof. */
export const openProofWindow = ({ companion: readCompanion, clock }: Pick<World, 'companion' | 'clock'>) => {
  const companion = readCompanion();
  const handlers = createHandlers(companion, {
    shell: noShell,
    startReport: createStartReport(() => undefined),
    log: { log: () => undefined, dir: '', newest: async () => [], close: async () => undefined },
    bridgeUrl: () => '',
    openLink: async () => undefined,
    samplesDir: '',
    labels: {} as never,
    clients: { 'clients.connect': async () => null, 'clients.list': async () => [] } as never,
    forgetEverything: () => undefined,
  });
  const serve = createCallServer({ handlers, requireProof: createProofGuard(companion), problemView: toProblemView });
  const { presence } = companion;
  let windowSession = companion.approvals.windowSessions.open('window');

  /** Sends a call and throws its problem. */
  const call = async <N extends CallName>(name: N, input: CallInput<N>, proofId?: string): Promise<CallAnswer<N>> => {
    const reply = await serve(name, input, { windowSession, proofId });
    if (reply.ok) return reply.value as CallAnswer<N>;
    throw new Problem(reply.problem.code, reply.problem.sentence, reply.problem);
  };

  /** Opens the ceremony page of a call and returns what it shows. */
  const openPage = async <N extends CallName>(name: N, input: CallInput<N>) => {
    const { token } = await call('proofs.begin', { call: name, input });
    const page = await presence.openCeremony(token, { origin: ceremonyOrigin });
    return { token, page, challenge: page.authenticationOptions?.challenge ?? '' };
  };

  /** Lets the person confirm a call with a passkey. Returns the id of the proof. */
  const prove = async <N extends CallName>(
    authenticator: SoftwareAuthenticator,
    name: N,
    input: CallInput<N>,
  ): Promise<string> => {
    const { token, challenge } = await openPage(name, input);
    return presence.confirmWithPasskey(token, authenticator.get({ challenge }));
  };

  const proveWithPin = async <N extends CallName>(pin: string, name: N, input: CallInput<N>): Promise<string> =>
    presence.confirmWithPin((await openPage(name, input)).token, pin);

  return {
    call,
    handlers,
    /** Closes the window. Its next call comes from a new one, as after a reload. */
    reload: (): void => {
      companion.approvals.windowSessions.close(windowSession);
      windowSession = companion.approvals.windowSessions.open('window');
    },
    openPage,
    prove,
    proveWithPin,
    presence,
    /** Notes that the person has just signed in with a code in this window. */
    noteSignIn: (): void => presence.noteSignIn(windowSession),
    /** Shows prompts in this window for as long as the companion requires. */
    showHere: async (prompts: readonly ShownPrompt[]): Promise<void> => {
      const rows = prompts.map((prompt) => ({ ...prompt, drawnAs: 'prompt' as const }));
      await call('approvals.shown', { isAutomated: false, rows });
      clock.advance(minDwellMs);
    },
    /** Shows prompts for as long as the companion requires. */
    show: (prompts: readonly ShownPrompt[]): void => {
      windowSession = showInWindow({ companion, clock }, prompts);
    },
    /** Registers a passkey. `proofId` is needed if a proof is set up. */
    addPasskey: async (authenticator: SoftwareAuthenticator, proofId?: string): Promise<void> => {
      const { token } = await call('proofs.register', { kind: 'passkey', label: 'Key' }, proofId);
      const { registrationOptions } = await presence.openCeremony(token, { origin: ceremonyOrigin });
      await presence.registerPasskey(token, authenticator.create({ challenge: registrationOptions?.challenge ?? '' }));
    },
    addPin: async (pin: string, proofId?: string): Promise<void> => {
      const { token } = await call('proofs.register', { kind: 'pin' }, proofId);
      await presence.openCeremony(token, { origin: ceremonyOrigin });
      await presence.registerPin(token, pin);
    },
  };
};

export type ProofWindow = ReturnType<typeof openProofWindow>;
