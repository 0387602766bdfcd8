import { afterEach, expect, test } from 'vitest';
import { openProofWindow } from '../../helpers/presence/openProofWindow.ts';
import { ceremonyOrigin } from '../../helpers/presence/softwareAuthenticator.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import type { DrawnCeremony } from '../../../src/core/presence/ceremonies.ts';

let world: World;
afterEach(() => world.close());

const register = { kind: 'system' } as const;

test('the system prompt confirms a publish, and a refusal in it does not', async () => {
  const shown: DrawnCeremony[] = [];
  let answer = true;
  const confirm = async (drawn: DrawnCeremony): Promise<boolean> => {
    shown.push(drawn);
    return answer;
  };
  world = await startWorld({ systemPrompt: { confirm } });
  const window = openProofWindow(world);
  window.noteSignIn();
  const { token } = await window.call('proofs.register', register);
  await window.presence.openCeremony(token, { origin: ceremonyOrigin });
  await window.presence.registerSystemPrompt(token);
  expect(window.presence.readState()).toMatchObject({ kinds: ['system'], isSetUp: true });
  const { approvalId, digest } = await world.asked();
  const yes = { approvalId, digest };
  window.show([yes]);
  await expect(window.call('approvals.approve', yes)).rejects.toMatchObject({ code: 'PROOF_NEEDED' });
  answer = false;
  const refused = await window.openPage('approvals.approve', yes);
  const no = window.presence.confirmWithSystemPrompt(refused.token);
  await expect(no).rejects.toMatchObject({ code: 'PROOF_REFUSED' });
  answer = true;
  const accepted = await window.openPage('approvals.approve', yes);
  const proofId = await window.presence.confirmWithSystemPrompt(accepted.token);
  expect(await window.call('approvals.approve', yes, proofId)).toMatchObject({ state: 'done' });
  expect(shown.at(-1)).toMatchObject({ of: 'approvals', approvals: [{ approvalId }] });
});

test('a host without a system prompt cannot register it', async () => {
  world = await startWorld();
  const window = openProofWindow(world);
  window.noteSignIn();
  await expect(window.call('proofs.register', register)).rejects.toMatchObject({ code: 'PROOF_KIND_OFF' });
});
