import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toProblemView } from '../../../src/core/base/problem.ts';
import { createPauseSwitch } from '../../../src/host/pauseSwitch.ts';
import { createProofGuard } from '../../../src/host/proofHandlers.ts';
import { runCompanion } from '../../../src/host/runCompanion.ts';
import { createStartReport } from '../../../src/host/startReport.ts';
import { isProofKnown } from '../../../src/core/companion/proofMark.ts';
import { restoreRequestedBackup } from '../../../src/core/storage/restore.ts';
import { createFakeRunning } from '../../helpers/hosts/createFakeRunning.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import { openProofWindow, type ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import { ceremonyOrigin } from '../../helpers/presence/softwareAuthenticator.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let window: ProofWindow;
let explained = 0;
beforeEach(async () => {
  world = await startWorld({ keychain: 'system' });
  window = openProofWindow(world);
});
afterEach(() => world.close());

const pin = '246813';
const isPaused = (): boolean => world.companion().state(null).paused;
/** Creates the switch of the tray, whose ceremony ends as `answer` says. */
const createSwitch = (answer: (token: string) => Promise<unknown>) => {
  const companion = world.companion();
  return createPauseSwitch({
    running: {
      ...createFakeRunning(),
      ...{ handlers: window.handlers, requireProof: createProofGuard(companion), problemOf: toProblemView },
      ceremonies: { ...createFakeRunning().ceremonies, readCeremony: companion.presence.readCeremony },
    },
    clock: { sleep: async (ms) => world.clock.advance(ms) },
    openCeremony: async (token) => void (await answer(token)),
    explainLostProofs: () => void (explained += 1),
    explainRefusal: () => undefined,
  });
};

test('the tray resumes work only after the ceremony, and pauses without one', async () => {
  const opened: string[] = [];
  const free = createSwitch(async (token) => opened.push(token));
  await free(true);
  await free(false);
  expect([isPaused(), opened]).toEqual([false, []]);
  window.noteSignIn();
  await window.addPin(pin);
  const { presence } = world.companion();
  const leave = createSwitch(async (token) => presence.cancelCeremony(token));
  await leave(true);
  await leave(false);
  expect(isPaused()).toBe(true);
  const confirm = createSwitch(async (token) => {
    await presence.openCeremony(token, { origin: ceremonyOrigin });
    await presence.confirmWithPin(token, pin);
  });
  await confirm(false);
  expect(isPaused()).toBe(false);
  expect(await listLedgerRows(world, 'proof.used')).toMatchObject([{ facts: { call: 'app.pause', kind: 'pin' } }]);
  expect(await listLedgerRows(world, 'proof.missing')).toEqual([]);
});

test('if the proofs file is missing, the tray explains how to recover instead of starting a ceremony', async () => {
  window.noteSignIn();
  await window.addPin(pin);
  await window.call('app.pause', { paused: true });
  await world.stop();
  await rm(join(world.dataDir, 'person-proofs.json'));
  await world.begin();
  window = openProofWindow(world);
  await window.call('app.pause', { paused: true });
  const opened: string[] = [];
  await createSwitch(async (token) => opened.push(token))(false);
  expect([isPaused(), opened, explained]).toEqual([true, [], 1]);
});

const restoreByCommandLine = (): Promise<unknown> => {
  const options = { dataDir: world.dataDir, restore: 'newest', service: 'practice' } as never;
  const host = {
    secrets: world.secrets,
    startReport: createStartReport(() => undefined),
    log: { log: () => undefined },
    forgetSecrets: async () => undefined,
  };
  return runCompanion(options, host as never);
};

const removeProofFile = () => rm(join(world.dataDir, 'person-proofs.json'));

test.each([
  ['is there', async () => undefined],
  ['was removed', removeProofFile],
  [
    'was removed, and the keychain has forgotten',
    async () => {
      await removeProofFile();
      await world.secrets.remove('person-proof');
    },
  ],
  [
    'was removed, and an older database replaced the present one',
    async () => {
      await removeProofFile();
      restoreRequestedBackup(world.dataDir, 'newest', world.clock.now());
    },
  ],
])('the command line restores no backup once a proof is set up, if the file of the proofs %s', async (_what, harm) => {
  await world.companion().backups.make();
  expect(await isProofKnown(world.dataDir, world.secrets)).toBe(false);
  window.noteSignIn();
  await window.addPin(pin);
  await world.stop();
  await harm();
  await expect(restoreByCommandLine()).rejects.toMatchObject({
    code: 'RESTORE_IN_WINDOW',
    message: expect.stringContaining('restore the copy in the window') as string,
  });
  await world.begin();
  expect(world.companion().presence.readState()).toMatchObject({ isSetUp: true });
});
