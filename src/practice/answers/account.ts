import * as z from 'zod';
import { runStatement } from '../database.ts';
import { parseOpenBody, refuseCall } from '../refusal.ts';
import { parseListCursor } from '../world/listings/apiListing.ts';
import { markNotificationRead, markNotificationsViewed, listPersonNotifications } from '../world/messages.ts';
import { countReferredPeople } from '../world/accounts.ts';
import { requirePersonById, type Person } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { getPersonPlan } from '../world/allowance.ts';
import { formatIsoTime } from '../clock.ts';
import type { Answers, RouteNameOf } from './answer.ts';

const requireOwnUserId = (person: Person, userId: string): void => {
  if (person.userId !== userId) refuseCall(403, 'This is the id of another person.');
};

const toApiUser = (person: Person) => ({
  userId: person.userId,
  name: person.name,
  language: person.language,
  avatar: person.avatar,
  autoDelistDefault: person.autoDelistDefault,
  createdAt: formatIsoTime(person.createdAt),
});

const emailDefaults = { security: true, billing: true, sales: true, news: false };
const pushDefaults = { sales: true, publishResults: true, account: true };

const switches = z.record(z.string(), z.boolean());

const saveNotificationPreferences = (
  world: World,
  person: Person,
  column: 'emailPreferences' | 'pushPreferences',
  body: unknown,
): Record<string, unknown> => {
  const changes = parseOpenBody(switches, body);
  const saved = { ...requirePersonById(world, person.userId)[column], ...changes };
  runStatement(world.db, `UPDATE people SET ${column} = ? WHERE userId = ?`, JSON.stringify(saved), person.userId);
  return saved;
};

export const accountAnswers: Answers<RouteNameOf<'Account and notifications'>> = {
  readAccount: ({ person }) => ({
    body: {
      userId: person.userId,
      email: person.email,
      name: person.name,
      plan: getPersonPlan(person).code,
      marketConnected: person.connectedAt !== null,
    },
  }),

  readUser: ({ person, input }) => {
    requireOwnUserId(person, input.params.userId);
    return { body: toApiUser(person) };
  },

  updateUser: ({ world, person, input }) => {
    requireOwnUserId(person, input.params.userId);
    const { name = person.name, language = person.language, avatar = person.avatar } = input.body;
    const autoDelist = input.body.autoDelistDefault ?? person.autoDelistDefault;
    runStatement(
      world.db,
      'UPDATE people SET name = ?, language = ?, avatar = ?, autoDelistDefault = ? WHERE userId = ?',
      name,
      language,
      avatar,
      autoDelist ? 1 : 0,
      person.userId,
    );
    return { body: toApiUser(requirePersonById(world, person.userId)) };
  },

  readUserNotificationPreferences: ({ person, input }) => {
    requireOwnUserId(person, input.params.userId);
    return { body: { ...emailDefaults, ...person.emailPreferences } };
  },

  updateUserNotificationPreferences: ({ world, person, input }) => {
    requireOwnUserId(person, input.params.userId);
    return {
      body: { ...emailDefaults, ...saveNotificationPreferences(world, person, 'emailPreferences', input.body) },
    };
  },

  listNotifications: ({ world, person, input }) => ({
    body: listPersonNotifications(world, person, input.query.limit ?? 50, parseListCursor(input.query.cursor)),
  }),

  readNotification: ({ world, person, input }) => ({ body: markNotificationRead(world, person, input.params.notifId) }),

  markNotificationsViewed: ({ world, person }) => ({ body: { viewed: markNotificationsViewed(world, person) } }),

  readPushPreferences: ({ person }) => ({ body: { ...pushDefaults, ...person.pushPreferences } }),

  updatePushPreferences: ({ world, person, input }) => ({
    body: { ...pushDefaults, ...saveNotificationPreferences(world, person, 'pushPreferences', input.body) },
  }),

  readReferrals: ({ world, person }) => ({
    body: {
      link: `${world.url()}/r/${person.referralCode}`,
      code: person.referralCode,
      joined: countReferredPeople(world, person.userId),
    },
  }),
};
