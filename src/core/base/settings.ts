import * as z from 'zod';
import { languageCodes } from '../../i18n/languages.ts';

/** The person's settings. Every field has a default, so that older or incomplete files can be parsed. */
export const settingsShape = z.object({
  language: z.enum(['system', ...languageCodes]).default('system'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  tourSeen: z.boolean().default(false),
  /** The long edge of prepared photos, in pixels. */
  longEdgePx: z.int().min(1280).max(2400).default(1600),
  photoFormat: z.enum(['jpeg', 'webp']).default('jpeg'),
  /** Photos that appear in this folder become items automatically; null if no folder is watched. */
  watchFolder: z.string().min(1).nullable().default(null),
  /** Whether items with automatically grouped photos wait for a review. */
  groupingReview: z.boolean().default(true),
  deferDrops: z.boolean().default(false),
  /** Stores whether the person last chose to use a text file beside the photos. */
  useFolderTexts: z.boolean().default(false),
  approvalMinutes: z
    .int()
    .min(1)
    .max(24 * 60)
    .default(30),
  /** In minor units of any currency. Notifications offer a publish button up to this fee; null means never. */
  publishFromNotificationMinor: z.int().min(0).max(100_000).nullable().default(null),
  /** The site of new listings; null if the service chooses. */
  marketplaceId: z
    .string()
    .regex(/^MKT_[A-Z]+$/)
    .nullable()
    .default(null),
  /** The template of new listings: '' for no template, null if the service chooses. */
  templateId: z.string().max(200).nullable().default(null),
  /** The template of items from the watched folder; null for the template of all other items. */
  watchTemplateId: z.string().max(200).nullable().default(null),
  /** The marketplace account of new listings; null if the service chooses. */
  marketAccountId: z.string().min(1).max(200).nullable().default(null),
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
export type SettingsChanges = Partial<Omit<Settings, 'notify'>> & {
  notify?: { [Kind in keyof Settings['notify']]?: boolean | undefined } | undefined;
};
