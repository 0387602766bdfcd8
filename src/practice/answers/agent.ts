import { listApiKeys, revokeAssistantKey } from '../world/keys.ts';
import { runInTransaction } from '../database.ts';
import { sendSignInCode, verifySignInCode } from '../world/accounts.ts';
import { readAccountStanding } from '../world/allowance.ts';
import { recordJournalEffect } from '../world/journal.ts';
import { renderGuideMarkdown, buildGuideData } from '../../contract/project/guide.ts';
import { buildServiceOpenApi } from '../../contract/project/openApi.ts';
import { listPlansWithRates } from './billing.ts';
import { listRouteRecords } from '../../contract/project/routeRecords.ts';
import { refuseCall } from '../refusal.ts';
import type { Answers, RouteNameOf } from './answer.ts';

const createServiceIndex = (url: string, version: string) => ({
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
  readIndex: ({ world }) => ({ body: createServiceIndex(world.url(), world.version) }),

  readIndexJson: ({ world }) => ({ body: createServiceIndex(world.url(), world.version) }),

  readGuide: ({ world, accept }) =>
    accept.includes('application/json')
      ? { body: buildGuideData(world.url(), world.version) }
      : {
          headers: { 'content-type': 'text/markdown; charset=utf-8' },
          body: renderGuideMarkdown(world.url(), world.version),
        },

  readRoutes: ({ world }) => ({ body: { version: world.version, routes: listRouteRecords() } }),

  readOpenApi: ({ world }) => ({ body: buildServiceOpenApi(world.url(), world.version) }),

  listPlans: () => ({ body: { plans: listPlansWithRates() } }),

  startSignIn: ({ world, input }) => ({
    body: {
      ...sendSignInCode(world, input.body),
      termsUrl: `${world.url()}/terms`,
      privacyUrl: `${world.url()}/privacy`,
    },
  }),

  verifySignIn: ({ world, input }) => ({ body: verifySignInCode(world, input.body) }),

  readStanding: ({ world, person, key }) => ({ body: readAccountStanding(world, person, key) }),

  listKeys: ({ world, key }) => ({ body: { keys: listApiKeys(world, key) } }),

  revokeCurrentKey: ({ world, key }) => {
    runInTransaction(world.db, () => revokeAssistantKey(world, key));
    return { body: { keyId: key.keyId, revoked: true } };
  },

  sendContact: ({ world, input, caller }) => {
    const { message, email } = input.body;
    if (typeof email !== 'string' || !email.includes('@'))
      refuseCall(400, 'email: The address for the reply is needed.');
    recordJournalEffect(world, 'contact', { userId: caller?.person.userId ?? null, message, email });
    return { body: { received: true } };
  },
};
