import * as z from 'zod';
import { toRecordOrEmpty } from './json.ts';
import { defaultLabelChoice, labelChoice } from '../../contract/labelSheets.ts';
import { languageCodes } from '../../i18n/languages.ts';
import { photoFormats } from '../../photoContract/messages.ts';
import { folderPatternShape, skuPatternShape } from './shelfFields.ts';

/** The person's settings. Every field has a default, so that older or incomplete files can be parsed. */
export const settingsShape = z.object({
  language: z.enum(['system', ...languageCodes]).default('system'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  tourSeen: z.boolean().default(false),
  /** The long edge of prepared photos, in pixels. */
  longEdgePx: z.int().min(1280).max(2400).default(1600),
  photoFormat: z.enum(photoFormats).default('jpeg'),
  /**
   * The absolute path of the watched folder, whose new photos become items automatically; null for none. Files already
   * in the folder are not imported.
   */
  watchFolder: z.string().min(1).max(4_000).nullable().default(null),
  /** Whether items with automatically grouped photos wait for a review. */
  groupingReview: z.boolean().default(true),
  deferDrops: z.boolean().default(false),
  /** Whether the person last chose to use a text file beside the photos. */
  useFolderTexts: z.boolean().default(false),
  approvalMinutes: z
    .int()
    .min(1)
    .max(24 * 60)
    .default(30),
  /**
   * The highest fee at which a notification offers a publish button, in minor units of any currency; null for no
   * button.
   */
  publishFromNotificationMinor: z.int().min(0).max(100_000).nullable().default(null),
  /** The site of new listings; null if the service chooses. */
  marketplaceId: z
    .string()
    .regex(/^MKT_[A-Z]+$/)
    .nullable()
    .default(null),
  /** The template of new listings: '' for no template, null if the service chooses. */
  templateId: z.string().max(200).nullable().default(null),
  /** The template of items from the watched folder; null if they get the template of all other items. */
  watchTemplateId: z.string().max(200).nullable().default(null),
  /** The marketplace account of new listings; null if the service chooses. */
  marketAccountId: z.string().min(1).max(200).nullable().default(null),
  /** How the next SKU of a place is made, such as `{place}-{n}`. */
  skuPattern: skuPatternShape.default('{place}-{n}'),
  /** The sheet that labels were last printed on. */
  labels: labelChoice.default(defaultLabelChoice),
  /** How the person names folders, such as `{place} {title} {cost}`; empty if the companion recognises private words. */
  folderPattern: folderPatternShape.default(''),
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

/**
 * Which change of a setting weakens protection. A program could use such a change to hide or approve its own requests.
 */
type Weakening = 'never' | 'setting' | 'raising' | 'turningOff';

const weakenings = {
  language: 'never',
  theme: 'never',
  tourSeen: 'never',
  longEdgePx: 'never',
  photoFormat: 'never',
  watchFolder: 'setting',
  groupingReview: 'never',
  deferDrops: 'never',
  useFolderTexts: 'never',
  approvalMinutes: 'raising',
  publishFromNotificationMinor: 'raising',
  marketplaceId: 'never',
  templateId: 'never',
  watchTemplateId: 'never',
  marketAccountId: 'never',
  skuPattern: 'never',
  labels: 'never',
  folderPattern: 'never',
  notify: 'turningOff',
} as const satisfies Record<keyof Settings, Weakening>;

/** A setting without a value is null, which counts as the lowest limit. */
const weakens: Record<Weakening, (before: unknown, after: unknown) => boolean> = {
  never: () => false,
  setting: (before, after) => after !== null && after !== before,
  raising: (before, after) => Number(after ?? -1) > Number(before ?? -1),
  turningOff: (before, after) => {
    const wasOn = new Map(Object.entries(toRecordOrEmpty(before)));
    return Object.entries(toRecordOrEmpty(after)).some(([name, isOn]) => isOn === false && wasOn.get(name) === true);
  },
};

/** Returns whether a change weakens protection, so that it needs a proof of the person. */
export const isWeakerChange = (before: Settings, changes: SettingsChanges): boolean => {
  const values = new Map<string, unknown>(Object.entries(before));
  const changed = new Map<string, unknown>(Object.entries(changes));
  return Object.entries(weakenings).some(
    ([name, weakening]) => changed.get(name) !== undefined && weakens[weakening](values.get(name), changed.get(name)),
  );
};

/** A partial update of the settings. */
export type SettingsChanges = z.input<typeof settingsShape>;

/** Removes the defaults, so that an omitted setting stays unchanged. */
const createChangesSchema = <Fields extends Record<string, z.ZodDefault>>(fields: Fields) => {
  const entries = Object.entries(fields).map(([name, field]) => [name, field.unwrap()]);
  return z
    .object(Object.fromEntries(entries) as { [Name in keyof Fields]: ReturnType<Fields[Name]['unwrap']> })
    .partial();
};

/** Creates the schema of a partial update, in which no setting has a default. */
export const createSettingsChangesSchema = () => {
  const { notify, ...fields } = settingsShape.shape;
  return createChangesSchema(fields).extend({ notify: createChangesSchema(notify.unwrap().shape).optional() });
};
