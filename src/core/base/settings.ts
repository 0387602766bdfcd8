import * as z from 'zod';
import { languageCodes } from '../../i18n/languages.ts';

/** The person's settings; every field has its default, so that a missing or older file still reads. */
export const settings = z.object({
  /** The language of the windows; `system` follows the computer's. */
  language: z.enum(['system', ...languageCodes]).default('system'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** Whether the person has seen the tour, or passed it over. */
  tourSeen: z.boolean().default(false),
  /** Long edge of prepared photos in pixels. */
  longEdgePx: z.int().min(1280).max(2400).default(1600),
  photoFormat: z.enum(['jpeg', 'webp']).default('jpeg'),
  /** A folder whose new photos become items by themselves; null: none is watched. */
  watchFolder: z.string().min(1).nullable().default(null),
  /** Whether items whose photos were put together by a guess wait for the person's look. */
  groupingReview: z.boolean().default(true),
  /** Whether everything that is dropped waits until the person has checked the photos. */
  holdDrops: z.boolean().default(false),
  /** Whether a text file beside the photos of an item is used for its listing: as the person last ticked. */
  useFolderTexts: z.boolean().default(false),
  /** How long a decision may take, in minutes. */
  approvalMinutes: z
    .int()
    .min(1)
    .max(24 * 60)
    .default(30),
  /** The highest fee, in minor units of any currency, that a notification may offer to publish for; null: none may. */
  publishFromNotificationMinor: z.int().min(0).max(100_000).nullable().default(null),
  /** The site of new listings; null leaves it to the service. */
  marketplaceId: z
    .string()
    .regex(/^MKT_[A-Z]+$/)
    .nullable()
    .default(null),
  /** The template that new listings begin with: '' is none, null leaves it to the service, which remembers the last. */
  templateId: z.string().max(200).nullable().default(null),
  /** The same for what comes out of the watched folder; null is as all others. */
  watchTemplateId: z.string().max(200).nullable().default(null),
  /** The marketplace account of new listings, one of the connected person's; null leaves it to the service. */
  marketAccountId: z.string().min(1).max(200).nullable().default(null),
  /** Which kinds of messages are shown outside the window. */
  notify: z
    .object({
      approvals: z.boolean().default(true),
      written: z.boolean().default(true),
      sales: z.boolean().default(true),
      connection: z.boolean().default(true),
    })
    .prefault({}),
});
export type Settings = z.infer<typeof settings>;
/** What a person changes: only what is named. */
export type SettingsChanges = Partial<Omit<Settings, 'notify'>> & {
  notify?: { [Kind in keyof Settings['notify']]?: boolean | undefined } | undefined;
};
