import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { restoreRequestedBackup } from '../../../src/core/storage/restore.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ person: null, keychain: 'system' });
});
afterEach(() => world.close());

const secretName = 'agent-key practice';
const mails = z.array(z.looseObject({ code: z.string().optional() }));
const signInAs = async (email: string): Promise<void> => {
  const { connect } = world.companion();
  const { challengeId } = await connect.start(email);
  const [mail] = mails.parse(await world.practice.control('GET', `/outbox?email=${encodeURIComponent(email)}`));
  await connect.verify({ challengeId, email, code: mail?.code ?? '' });
};
const getConnection = () => {
  const { connection: state, person } = world.companion().state(null);
  return { state, email: person?.email };
};

test('after a backup of another account is restored, the stored key is not used', async () => {
  await signInAs('ann@example.com');
  await world.companion().backups.make();
  await signInAs('ben@example.com');
  await world.companion().backups.restore('newest');
  await world.stop();
  restoreRequestedBackup(world.dataDir, null, world.clock.now());
  await world.begin();
  expect(getConnection()).toEqual({ state: 'reconnect', email: 'ann@example.com' });
  await expect(world.perform('readStanding', {})).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
  await signInAs('ann@example.com');
  expect(getConnection()).toEqual({ state: 'connected', email: 'ann@example.com' });
});

test('an old key in the keychain is not used after the person has changed the account', async () => {
  await signInAs('ann@example.com');
  const before = (await world.secrets.get(secretName)) ?? '';
  // The keychain still has the old key, as if it had been locked during the second sign-in.
  await signInAs('ben@example.com');
  await world.stop();
  await world.secrets.set(secretName, before);
  await world.begin();
  expect(getConnection()).toEqual({ state: 'reconnect', email: 'ben@example.com' });
});

test('the key of the connected account is used after a restart', async () => {
  await signInAs('ann@example.com');
  await world.stop();
  await world.begin();
  expect(getConnection()).toEqual({ state: 'connected', email: 'ann@example.com' });
});
