import { keysOf, revokeKey } from '../world/keys.ts';
import { atomically } from '../database.ts';
import { startSignIn, verifySignIn } from '../world/accounts.ts';
import { standingOf } from '../world/allowance.ts';
import { recordEffect } from '../world/journal.ts';
import { guide, guideFacts } from '../../contract/project/guide.ts';
import { openApi } from '../../contract/project/openApi.ts';
import { planList } from './billing.ts';
import { routeRecords } from '../../contract/project/routeRecords.ts';
import { refuse } from '../refusal.ts';
import type { Answers, RouteNameOf } from './answer.ts';

const serviceIndex = (url: string, version: string) => ({
  name: 'Listing service (practice)',
  version,
  baseUrl: url,
  guide: `${url}/agent/guide`,
  routes: `${url}/agent/routes`,
  openApi: `${url}/agent/openapi.json`,
  plans: `${url}/agent/plans`,
  signIn: { start: `${url}/agent/auth/start`, verify: `${url}/agent/auth/verify` },
  terms: `${url}/terms`,
  privacy: `${url}/privacy`,
});

export const agentAnswers: Answers<RouteNameOf<'Agent connection and discovery'>> = {
  readIndex: ({ world }) => ({ body: serviceIndex(world.url(), world.version) }),

  readIndexJson: ({ world }) => ({ body: serviceIndex(world.url(), world.version) }),

  readGuide: ({ world, accept }) =>
    accept.includes('application/json')
      ? { body: guideFacts(world.url(), world.version) }
      : { headers: { 'content-type': 'text/markdown; charset=utf-8' }, body: guide(world.url(), world.version) },

  readRoutes: ({ world }) => ({ body: { version: world.version, routes: routeRecords() } }),

  readOpenApi: ({ world }) => ({ body: openApi(world.url(), world.version) }),

  listPlans: () => ({ body: { plans: planList() } }),

  startSignIn: ({ world, input }) => ({
    body: {
      ...startSignIn(world, input.body),
      termsUrl: `${world.url()}/terms`,
      privacyUrl: `${world.url()}/privacy`,
    },
  }),

  verifySignIn: ({ world, input }) => ({ body: verifySignIn(world, input.body) }),

  readStanding: ({ world, person, key }) => ({ body: standingOf(world, person, key) }),

  listKeys: ({ world, key }) => ({ body: { keys: keysOf(world, key) } }),

  revokeCurrentKey: ({ world, key }) => {
    atomically(world.db, () => revokeKey(world, key));
    return { body: { keyId: key.keyId, revoked: true } };
  },

  sendContact: ({ world, input, caller }) => {
    const { message, email } = input.body;
    if (typeof email !== 'string' || !email.includes('@')) refuse(400, 'email: The address for the reply is needed.');
    recordEffect(world, 'contact', { userId: caller?.person.userId ?? null, message, email });
    return { body: { received: true } };
  },
};
