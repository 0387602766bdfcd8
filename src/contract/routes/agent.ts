import * as z from 'zod';
import { openObject } from '../fields.ts';
import { limits } from '../limits.ts';
import { routeRecord, standing } from '../resources.ts';
import { declareRoutes } from '../route.ts';

const address = /[^\s@]+@[^\s@]+/;
/** Searches all fields, because the interface does not document which field contains the reply address. */
const hasReplyAddress = (body: Record<string, unknown>): boolean =>
  Object.values(body).some((value) => typeof value === 'string' && address.test(value));
const email = z.email('That does not look like an e-mail address.').max(254);

export const agentRoutes = declareRoutes('Agent connection and discovery', {
  readIndex: {
    method: 'GET',
    path: '/agent',
    summary: 'Read the index of links.',
    access: 'public_info',
  },
  readIndexJson: {
    method: 'GET',
    path: '/agent/index.json',
    summary: 'Read the index of links as JSON.',
    access: 'public_info',
  },
  readGuide: {
    method: 'GET',
    path: '/agent/guide',
    summary: 'Read the guide: Markdown, or JSON on Accept.',
    access: 'public_info',
    headers: () => z.object({ accept: z.string().max(1_000).optional() }),
    answer: () => z.union([z.string(), openObject]),
  },
  readRoutes: {
    method: 'GET',
    path: '/agent/routes',
    summary: 'Read the list of all routes.',
    access: 'public_info',
    answer: () => z.looseObject({ version: z.string(), routes: z.array(routeRecord) }),
  },
  readOpenApi: {
    method: 'GET',
    path: '/agent/openapi.json',
    summary: 'Read the machine-readable description.',
    access: 'public_info',
  },
  listPlans: {
    method: 'GET',
    path: '/agent/plans',
    summary: 'Read the plans with their live numbers.',
    access: 'public_info',
  },
  startSignIn: {
    method: 'POST',
    path: '/agent/auth/start',
    summary: 'E-mail a sign-in code to the address the person gave.',
    access: 'public_info',
    status: 202,
    body: () => z.looseObject({ email, agentLabel: z.string().min(1).max(100), name: z.string().max(200).optional() }),
    answer: () =>
      z.looseObject({
        challengeId: z.string(),
        termsUrl: z.string().nullish(),
        privacyUrl: z.string().nullish(),
      }),
  },
  verifySignIn: {
    method: 'POST',
    path: '/agent/auth/verify',
    summary: 'Exchange the code for a key, which is shown once.',
    access: 'public_info',
    body: () =>
      z.looseObject({
        challengeId: z.string().min(1),
        email,
        code: z.string().regex(new RegExp(`^\\d{${limits.signInCode.digits}}$`), 'The code has 6 digits.'),
      }),
    answer: () =>
      z.looseObject({
        apiKey: z.string(),
        keyId: z.string(),
        userId: z.string(),
        accountCreated: z.boolean().nullish(),
      }),
  },
  readStanding: {
    method: 'GET',
    path: '/agent/me',
    summary: 'Read allowance, plan, upgrade offer and next steps.',
    access: 'agent',
    answer: () => standing,
    namesPersonPages: true,
  },
  listKeys: {
    method: 'GET',
    path: '/agent/keys',
    summary: 'List the connected assistants.',
    access: 'agent',
    namesPersonPages: true,
  },
  revokeCurrentKey: {
    method: 'DELETE',
    path: '/agent/keys/current',
    summary: 'Disconnect: the key of the caller stops working; it cannot be undone.',
    access: 'agent',
    askFirst: true,
    reversible: false,
  },
  sendContact: {
    method: 'POST',
    path: '/contact',
    summary: "Send a message to the service's support, with the person's reply address.",
    access: 'public_info',
    askFirst: true,
    body: () =>
      z
        .looseObject({ message: z.string().regex(/\S/, 'Say what should be sent.') })
        .refine(hasReplyAddress, { path: ['email'], message: 'The address for the reply is needed.' }),
  },
});
