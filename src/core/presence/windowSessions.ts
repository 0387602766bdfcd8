import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../base/ports.ts';
import { createProblem } from '../base/problem.ts';

const windowKinds = ['window', 'compact', 'notification'] as const;
export type WindowKind = (typeof windowKinds)[number];

/** A row of a batch whose line was never visible counts as drawn by the heading and the total of the batch. */
const drawnForms = ['prompt', 'row', 'summary'] as const;
type DrawnForm = (typeof drawnForms)[number];

/**
 * How the person gave a yes. `isAutomated` is null if the window did not report whether a program drives it. A
 * notification never reports it.
 */
export const evidenceShape = z.strictObject({
  way: z.enum(windowKinds),
  windowSession: z.string(),
  drawnAs: z.enum(drawnForms),
  dwellMs: z.int().min(0),
  isAutomated: z.boolean().nullable(),
});
export type PresenceEvidence = z.infer<typeof evidenceShape>;

/** How long a prompt must have been visible before a yes to it counts, in a notification too. */
export const minDwellMs = 1_200;

export type ShownPrompt = { approvalId: string; digest: string };
export type DrawnPrompt = ShownPrompt & { drawnAs: DrawnForm };

/** `sinceMs` is null while the prompt is hidden. */
type Shown = { digest: string; drawnAs: DrawnForm; sinceMs: number | null };
type WindowSession = { kind: WindowKind; isAutomated: boolean | null; shown: Map<string, Shown> };

/** Records which window shows which prompt, and since when. Sessions end with the run. */
export type WindowSessions = {
  /** Returns the id of the new session. */
  open: (kind: WindowKind) => string;
  close: (sessionId: string) => void;
  /** Returns whether a window is open, apart from the compact window and notifications. */
  isWindowOpen: () => boolean;
  /** Calls the listener when the last of these windows closes. */
  onLastClosed: (listener: () => void) => void;
  /** A session that once said that it is automated stays automated. */
  noteAutomation: (sessionId: string, isAutomated: boolean) => void;
  /** Returns the kind of the session. Throws PROMPT_NOT_SHOWN if the session is not open. */
  readKind: (sessionId: string) => WindowKind;
  /** Returns whether the session ever showed the prompt. */
  hasShown: (sessionId: string, prompt: ShownPrompt) => boolean;
  /** Replaces what the session shows. A prompt that stays visible keeps its dwell time; a hidden one starts again. */
  replaceShown: (sessionId: string, prompts: readonly DrawnPrompt[]) => void;
  /** Throws PROMPT_NOT_SHOWN or SHOWN_TOO_BRIEFLY. */
  requireShown: (sessionId: string | undefined, prompt: ShownPrompt) => PresenceEvidence;
};

export const createWindowSessions = ({ elapsedMs }: Pick<Clock, 'elapsedMs'>): WindowSessions => {
  const sessions = new Map<string, WindowSession>();
  const listeners = new Set<() => void>();
  const isWindowOpen = (): boolean => [...sessions.values()].some(({ kind }) => kind === 'window');
  const requireSession = (sessionId: string | undefined): WindowSession => {
    const session = sessionId === undefined ? undefined : sessions.get(sessionId);
    if (!session) throw createProblem('PROMPT_NOT_SHOWN');
    return session;
  };
  const findShown = ({ shown }: WindowSession, { approvalId, digest }: ShownPrompt): Shown | null => {
    const found = shown.get(approvalId);
    return found?.digest === digest ? found : null;
  };
  return {
    open: (kind) => {
      const sessionId = `ws_${randomUUID()}`;
      sessions.set(sessionId, { kind, isAutomated: null, shown: new Map() });
      return sessionId;
    },
    close: (sessionId) => {
      const wasOpen = isWindowOpen();
      sessions.delete(sessionId);
      if (wasOpen && !isWindowOpen()) for (const listener of listeners) listener();
    },
    isWindowOpen,
    onLastClosed: (listener) => void listeners.add(listener),
    noteAutomation: (sessionId, isAutomated) => {
      const session = requireSession(sessionId);
      session.isAutomated = isAutomated || session.isAutomated === true;
    },
    readKind: (sessionId) => requireSession(sessionId).kind,
    hasShown: (sessionId, prompt) => findShown(requireSession(sessionId), prompt) !== null,
    replaceShown: (sessionId, prompts) => {
      const session = requireSession(sessionId);
      const visible = prompts.map(({ approvalId, digest, drawnAs }) => {
        const before = findShown(session, { approvalId, digest });
        // A line that was scrolled out of view has been drawn.
        const form = before?.drawnAs === 'row' ? 'row' : drawnAs;
        return [approvalId, { digest, drawnAs: form, sinceMs: before?.sinceMs ?? elapsedMs() }] as const;
      });
      for (const shown of session.shown.values()) shown.sinceMs = null;
      for (const [approvalId, shown] of visible) session.shown.set(approvalId, shown);
    },
    requireShown: (sessionId, prompt) => {
      const session = requireSession(sessionId);
      const found = findShown(session, prompt);
      if (sessionId === undefined || found === null) throw createProblem('PROMPT_NOT_SHOWN');
      const dwellMs = found.sinceMs === null ? 0 : Math.floor(elapsedMs() - found.sinceMs);
      if (dwellMs < minDwellMs) throw createProblem('SHOWN_TOO_BRIEFLY');
      const { kind: way, isAutomated } = session;
      return { way, windowSession: sessionId, drawnAs: found.drawnAs, dwellMs, isAutomated };
    },
  };
};

/** A window reports its use once a second. */
const useMs = 2_000;

export type WindowUse = {
  /** Notes that the person uses a window. Returns null, the answer of the call. */
  note: () => null;
  isNow: () => boolean;
};

export const createWindowUse = ({ elapsedMs }: Pick<Clock, 'elapsedMs'>): WindowUse => {
  let usedAtMs = -Infinity;
  return {
    note: () => {
      usedAtMs = elapsedMs();
      return null;
    },
    isNow: () => elapsedMs() - usedAtMs < useMs,
  };
};

/** A window that opens again within this time finds everything read. */
const releaseAfterMs = 60_000;

/** Calls the functions when no window has been open for a minute. */
export const releaseMemoryWithoutWindows = (
  { isWindowOpen, onLastClosed }: Pick<WindowSessions, 'isWindowOpen' | 'onLastClosed'>,
  clock: Clock,
  releases: readonly ((() => void) | undefined)[],
): void => {
  let waiting = new AbortController();
  onLastClosed(() => {
    waiting.abort();
    waiting = new AbortController();
    clock.sleep(releaseAfterMs, waiting.signal).then(
      () => isWindowOpen() || releases.forEach((release) => release?.()),
      () => undefined,
    );
  });
};
