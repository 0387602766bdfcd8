import { nativeImage, type WebContents } from 'electron';
import { createProblem } from '../core/base/problem.ts';
import type { RunningCompanion } from '../host/runCompanion.ts';
import { pendingPng } from './tray/trayImage.ts';
import * as z from 'zod';
import type { CallHandlers } from '../ipc/calls.ts';
import { createCallServer } from '../ipc/serveCalls.ts';
import type { WindowCallHandler } from './serveWindowCalls.ts';

const iconWidth = 96;

const readPhotoPaths = async (
  photo: RunningCompanion['photo'],
  photoIds: readonly string[],
  size: 'full' | 'thumb',
) => {
  const found = await Promise.all(photoIds.map((photoId) => photo({ photoId, size })));
  return found.flatMap((photoFile) => (photoFile !== null && 'path' in photoFile ? [photoFile.path] : []));
};

/** Throws `NO_PHOTOS` if no photo has a file. */
export const startPhotoDrag = async (
  contents: WebContents,
  photo: RunningCompanion['photo'],
  photoIds: readonly string[],
): Promise<null> => {
  const files = await readPhotoPaths(photo, photoIds, 'full');
  const [first] = files;
  if (first === undefined) throw createProblem('NO_PHOTOS');
  const [thumb] = await readPhotoPaths(photo, photoIds.slice(0, 1), 'thumb');
  const icon = nativeImage.createFromPath(thumb ?? first);
  contents.startDrag({
    file: first,
    files,
    // Some systems refuse a drag without an icon.
    icon: icon.isEmpty() ? nativeImage.createFromDataURL(pendingPng) : icon.resize({ width: iconWidth }),
  });
  return null;
};

const decisionCall = z.object({
  name: z.enum(['approvals.approve', 'approvals.decline']),
  input: z.object({ approvalId: z.string() }),
});

type CallHandlerContext = {
  running: Pick<RunningCompanion, 'handlers' | 'requireProof' | 'problemOf' | 'photo' | 'seen' | 'windowSessions'>;
  /** Shows the ceremony on top of the window that shows `contents`. */
  openCeremony: (contents: WebContents, token: string) => Promise<void>;
  /** Returns whether `contents` is the page of the compact review window. */
  isCompact: (contents: WebContents) => boolean;
  /** Called before the answer to an approval is processed. */
  onAnswer: (contents: WebContents, approvalId: string) => void;
};

/** Each load of a page has its own window session, because a new page has not shown anything yet. */
const createSessionFinder = ({ running: { windowSessions }, isCompact }: CallHandlerContext) => {
  const sessions = new Map<WebContents, string>();
  const openSession = (contents: WebContents): string => {
    const opened = windowSessions.open(isCompact(contents) ? 'compact' : 'window');
    const endSession = (): void => {
      contents.off('did-navigate', endSession);
      contents.off('destroyed', endSession);
      sessions.delete(contents);
      windowSessions.close(opened);
    };
    contents.on('did-navigate', endSession);
    contents.on('destroyed', endSession);
    sessions.set(contents, opened);
    return opened;
  };
  return (contents: WebContents): string => sessions.get(contents) ?? openSession(contents);
};

export const createWindowCallHandler = (context: CallHandlerContext): WindowCallHandler => {
  const { running, onAnswer } = context;
  const findSession = createSessionFinder(context);
  const createWindowHandlers = (contents: WebContents): CallHandlers => ({
    ...running.handlers,
    'app.dragOut': ({ photoIds }) => startPhotoDrag(contents, running.photo, photoIds),
    'proofs.open': async ({ token }) => {
      await context.openCeremony(contents, token);
      return { url: null };
    },
  });
  return (contents, name, input, proofId) => {
    const decided = decisionCall.safeParse({ name, input });
    running.seen();
    if (decided.success) onAnswer(contents, decided.data.input.approvalId);
    const serve = createCallServer({
      handlers: createWindowHandlers(contents),
      requireProof: running.requireProof,
      problemView: running.problemOf,
    });
    return serve(name, input, { windowSession: findSession(contents), proofId });
  };
};
