import * as z from 'zod';
import { id, openObject } from '../fields.ts';
import { person } from '../resources.ts';
import { declareRoutes } from '../route.ts';

const user = z.object({ userId: id });
const personsOwn = 'Only the person changes the e-mail address and the password.';

export const accountRoutes = declareRoutes('Account and notifications', {
  readAccount: {
    method: 'GET',
    path: '/auth/me',
    summary: 'Read the name, e-mail, plan and connection of the person.',
    access: 'agent',
    answer: () => person,
    namesPersonPages: true,
  },
  readUser: {
    method: 'GET',
    path: '/users/{userId}',
    summary: 'Read the name, language and settings of the person.',
    access: 'agent',
    params: () => user,
    namesPersonPages: true,
  },
  updateUser: {
    method: 'PUT',
    path: '/users/{userId}',
    summary: 'Change name, language, avatar or whether sold items are taken off other channels by default.',
    access: 'agent',
    askFirstWhen: ['autoDelistDefault'],
    params: () => user,
    body: () =>
      z
        .looseObject({
          name: z.string().min(1).max(200).optional(),
          language: z.string().min(2).max(20).optional(),
          avatar: z.string().max(100_000).optional(),
          autoDelistDefault: z.boolean().optional(),
        })
        .superRefine((body, context) => {
          for (const field of ['email', 'password'])
            if (Object.hasOwn(body, field)) context.addIssue({ code: 'custom', path: [field], message: personsOwn });
        }),
    namesPersonPages: true,
  },
  readUserNotificationPreferences: {
    method: 'GET',
    path: '/users/{userId}/notification-preferences',
    summary: 'Read which e-mails the person receives.',
    access: 'agent',
    params: () => user,
  },
  updateUserNotificationPreferences: {
    method: 'PUT',
    path: '/users/{userId}/notification-preferences',
    summary: 'Change which e-mails the person receives.',
    access: 'agent',
    params: () => user,
    body: () => openObject,
  },
  listNotifications: {
    method: 'GET',
    path: '/notifications',
    summary: 'Read sales, publish results and account notices; at most once a minute.',
    access: 'agent',
    query: () =>
      z.looseObject({ limit: z.coerce.number().int().min(1).max(200).optional(), cursor: z.string().optional() }),
    answer: () =>
      z.looseObject({
        notifications: z
          .array(z.looseObject({ notifId: z.string(), kind: z.string().nullish(), text: z.string().nullish() }))
          .default([]),
      }),
    namesPersonPages: true,
  },
  readNotification: {
    method: 'PUT',
    path: '/notifications/{notifId}/read',
    summary: 'Mark a notification as read.',
    access: 'agent',
    params: () => z.object({ notifId: id }),
  },
  markNotificationsViewed: {
    method: 'POST',
    path: '/notifications/mark-viewed',
    summary: 'Mark all notifications as seen.',
    access: 'agent',
    repeatable: true,
    body: () => openObject.prefault({}),
  },
  readPushPreferences: {
    method: 'GET',
    path: '/notifications/preferences',
    summary: 'Read which push messages the person receives.',
    access: 'agent',
  },
  updatePushPreferences: {
    method: 'PUT',
    path: '/notifications/preferences',
    summary: 'Change which push messages the person receives.',
    access: 'agent',
    body: () => openObject,
  },
  readReferrals: {
    method: 'GET',
    path: '/referrals',
    summary: 'Read the referral link and how many joined by it.',
    access: 'agent',
  },
});
