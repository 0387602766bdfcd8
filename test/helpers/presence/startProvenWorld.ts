import { startWorld, type World } from '../world.ts';
import { openProofWindow, type ProofWindow } from './openProofWindow.ts';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from './softwareAuthenticator.ts';

export type ProvenWorld = { world: World; window: ProofWindow; authenticator: SoftwareAuthenticator };

/** Starts a companion with a window and an authenticator that is not set up yet. */
export const startWorldWithWindow = async (): Promise<ProvenWorld> => {
  const world = await startWorld();
  return { world, window: openProofWindow(world), authenticator: createSoftwareAuthenticator() };
};

/** Starts a companion whose person has set up a passkey. */
export const startProvenWorld = async (): Promise<ProvenWorld> => {
  const proven = await startWorldWithWindow();
  proven.window.noteSignIn();
  await proven.window.addPasskey(proven.authenticator);
  return proven;
};
