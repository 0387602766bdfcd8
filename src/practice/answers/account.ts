import * as z from 'zod';
import { run } from '../database.ts';
import { parseOpen, refuse } from '../refusal.ts';
import { parseCursor } from '../world/listings/apiListing.ts';
import { markRead, markViewed, listNotifications } from '../world/messages.ts';
import { countReferred } from '../world/accounts.ts';
import { requirePerson, type Person } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { planOf } from '../world/allowance.ts';
import { isoOf } from '../clock.ts';
import type { Answers, RouteNameOf } from './answer.ts';

const requireSelf = (person: Person, userId: string): void => {
  if (person.userId !== userId) refuse(403, 'This is the id of another person.');
};

const toApiUser = (person: Person) => ({
  userId: person.userId,
  name: person.name,
  language: person.language,
  avatar: person.avatar,
  autoDelistDefault: person.autoDelistDefault,
  createdAt: isoOf(person.createdAt),
});

const emailDefaults = { security: true, billing: true, sales: true, news: false };
const pushDefaults = { sales: true, publishResults: true, account: true };

const switches = z.record(z.string(), z.boolean());

const savePreferences = (
  world: World,
  person: Person,
  column: 'emailPreferences' | 'pushPreferences',
  body: unknown,
): Record<string, unknown> => {
  const changes = parseOpen(switches, body);
  const saved = { ...requirePerson(world, person.userId)[column], ...changes };
  run(world.db, `UPDATE people SET ${column} = ? WHERE userId = ?`, JSON.stringify(saved), person.userId);
  return saved;
};

export const accountAnswers: Answers<RouteNameOf<'Account and notifications'>> = {
  readAccount: ({ person }) => ({
    body: {
      userId: person.userId,
      email: person.email,
      name: person.name,
      plan: planOf(person).code,
      marketConnected: person.connectedAt !== null,
    },
  }),

  readUser: ({ person, input }) => {
    requireSelf(person, input.params.userId);
    return { body: toApiUser(person) };
  },

  updateUser: ({ world, person, input }) => {
    requireSelf(person, input.params.userId);
    const { name = person.name, language = person.language, avatar = person.avatar } = input.body;
    const autoDelist = input.body.autoDelistDefault ?? person.autoDelistDefault;
    run(
      world.db,
      'UPDATE people SET name = ?, language = ?, avatar = ?, autoDelistDefault = ? WHERE userId = ?',
      name,
      language,
      avatar,
      autoDelist ? 1 : 0,
      person.userId,
    );
    return { body: toApiUser(requirePerson(world, person.userId)) };
  },

  readUserNotificationPreferences: ({ person, input }) => {
    requireSelf(person, input.params.userId);
    return { body: { ...emailDefaults, ...person.emailPreferences } };
  },

  updateUserNotificationPreferences: ({ world, person, input }) => {
    requireSelf(person, input.params.userId);
    return { body: { ...emailDefaults, ...savePreferences(world, person, 'emailPreferences', input.body) } };
  },

  listNotifications: ({ world, person, input }) => ({
    body: listNotifications(world, person, input.query.limit ?? 50, parseCursor(input.query.cursor)),
  }),

  readNotification: ({ world, person, input }) => ({ body: markRead(world, person, input.params.notifId) }),

  markNotificationsViewed: ({ world, person }) => ({ body: { viewed: markViewed(world, person) } }),

  readPushPreferences: ({ person }) => ({ body: { ...pushDefaults, ...person.pushPreferences } }),

  updatePushPreferences: ({ world, person, input }) => ({
    body: { ...pushDefaults, ...savePreferences(world, person, 'pushPreferences', input.body) },
  }),

  readReferrals: ({ world, person }) => ({
    body: {
      link: `${world.url()}/r/${person.referralCode}`,
      code: person.referralCode,
      joined: countReferred(world, person.userId),
    },
  }),
};
