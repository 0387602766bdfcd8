import * as z from 'zod';
import { languageCodes } from '../../i18n/languages.ts';

/** The person's settings. Every field has a default, so that older or incomplete files still parse. */
export const settingsShape = z.object({
  /** The language of the windows; `system` follows the computer's. */
  language: z.enum(['system', ...languageCodes]).default('system'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** Whether the person has finished or skipped the tour. */
  tourSeen: z.boolean().default(false),
  /** The long edge of prepared photos in pixels. */
  longEdgePx: z.int().min(1280).max(2400).default(1600),
  photoFormat: z.enum(['jpeg', 'webp']).default('jpeg'),
  /** The watched folder, whose new photos become items automatically; null for none. */
  watchFolder: z.string().min(1).nullable().default(null),
  /** Whether items with automatically grouped photos wait for a review. */
  groupingReview: z.boolean().default(true),
  /** Whether all dropped photos wait for a review. */
  deferDrops: z.boolean().default(false),
  /** Whether a text file beside the photos is used for the listing; the person's last choice. */
  useFolderTexts: z.boolean().default(false),
  /** How long an approval stays open, in minutes. */
  approvalMinutes: z
    .int()
    .min(1)
    .max(24 * 60)
    .default(30),
  /**
   * The highest fee, in minor units of any currency, for which a notification offers a publish button; null for
   * none.
   */
  publishFromNotificationMinor: z.int().min(0).max(100_000).nullable().default(null),
  /** The site of new listings; null lets the service choose. */
  marketplaceId: z
    .string()
    .regex(/^MKT_[A-Z]+$/)
    .nullable()
    .default(null),
  /** The template of new listings: '' for none; null lets the service choose, which remembers the last one. */
  templateId: z.string().max(200).nullable().default(null),
  /** The template for photos of the watched folder; null means the same as for all others. */
  watchTemplateId: z.string().max(200).nullable().default(null),
  /** The marketplace account of new listings; null lets the service choose. */
  marketAccountId: z.string().min(1).max(200).nullable().default(null),
  /** Which kinds of desktop notifications are shown. */
  notify: z
    .object({
      approvals: z.boolean().default(true),
      written: z.boolean().default(true),
      sales: z.boolean().default(true),
      connection: z.boolean().default(true),
    })
    .prefault({}),
});
export type Settings = z.infer<typeof settingsShape>;
/** A partial update of the settings. */
export type SettingsChanges = Partial<Omit<Settings, 'notify'>> & {
  notify?: { [Kind in keyof Settings['notify']]?: boolean | undefined } | undefined;
};
