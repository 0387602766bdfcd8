import * as z from 'zod';
import { createProblem } from '../base/problem.ts';
import type { Changed, Clock } from '../base/ports.ts';
import { emptyShelf, maxTags, uniteTags, type ShelfChanges, type ShelfFields } from '../base/shelfFields.ts';
import { readShelfFields, splitFolderName } from '../photos/privateWords.ts';
import { createJsonColumn } from '../storage/database.ts';
import { privatePart, type PrivatePart } from '../storage/tables/itemRecord.ts';
import type { ItemsTable } from '../storage/tables/itemsTable.ts';
import type { ListingsTable } from '../storage/tables/listings/listingsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import type { NamedShelfTarget, ShelfEdit, ShelfRow, ShelfTable, ShelfTarget } from '../storage/tables/shelfTable.ts';
import type { Label } from './labels.ts';
import { buildSkuFrame, formatSku, getSkuFrameKey, readSkuNumber, type SkuFrame } from './skuPattern.ts';

/** Items and listings in the order of the person's selection, the items first. */
export type ShelfTargets = { itemIds?: readonly string[] | undefined; listingIds?: readonly string[] | undefined };
export type OneShelfTarget = { itemId: string } | { listingId: string };

export type ShelfView = {
  fields: ShelfFields;
  /** Another item or listing with the same SKU, which is a warning and no error; null if no other has it. */
  skuTakenBy: NamedShelfTarget | null;
  /** The SKU that numbering would assign; null if the pattern needs a place or the person typed the SKU. */
  nextSku: string | null;
};

/**
 * The result of a numbering. `kept` counts SKUs that stay; `withoutPlace` counts items for which no SKU can be made.
 */
export type NumberedShelf = { numbered: number; kept: number; withoutPlace: number };
export type LastShelfEdit = Pick<ShelfEdit, 'kind' | 'at'> & { count: number };
/** How the companion reads the name of a folder. */
export type FolderNamePreview = { folderName: string; words: string; fields: ShelfFields };

export type ShelfContext = {
  table: ShelfTable;
  itemsTable: Pick<ItemsTable, 'read' | 'idOfListing'>;
  listings: Pick<ListingsTable, 'statusOf'>;
  settings: SettingsTable;
  clock: Clock;
  changed: Changed;
  /** Returns the connected account. Throws `NOT_CONNECTED`. */
  account: () => string;
  /** The currency of amounts without a sign; null if unknown. */
  usualCurrency: () => string | null;
};

const toSearchedTarget = (target: OneShelfTarget): ShelfTarget =>
  'itemId' in target ? { itemId: target.itemId, listingId: null } : { itemId: null, listingId: target.listingId };

/** Returns the item with its listing, or the listing with its item; null if this account has neither. */
const findShelfTarget = (context: ShelfContext, target: OneShelfTarget): ShelfTarget | null => {
  const { itemsTable, listings, account } = context;
  if ('itemId' in target) {
    const item = itemsTable.read(target.itemId);
    return item?.account === account() ? { itemId: item.item_id, listingId: item.listing_id } : null;
  }
  const { listingId } = target;
  const itemId = itemsTable.idOfListing(account(), listingId);
  return itemId !== null || listings.statusOf(account(), listingId) !== null ? { itemId, listingId } : null;
};

/** Leaves out what no longer exists. Throws `NOT_FOUND.item` if nothing is left. */
const findShelfTargets = (context: ShelfContext, { itemIds = [], listingIds = [] }: ShelfTargets): ShelfTarget[] => {
  const wanted = [...itemIds.map((itemId) => ({ itemId })), ...listingIds.map((listingId) => ({ listingId }))];
  const found = wanted.flatMap((target) => findShelfTarget(context, target) ?? []);
  const [first] = found;
  if (first === undefined) throw createProblem('NOT_FOUND.item');
  return found;
};

const isSameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const pickFields = (fields: ShelfFields, names: readonly string[]): ShelfChanges =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

/** Changes a row, and returns what has changed; null if nothing has. */
const changeRow = (
  { table, clock }: ShelfContext,
  row: ShelfRow,
  changes: ShelfChanges,
): ShelfEdit['rows'][number] | null => {
  const before = new Map(Object.entries(row.fields));
  const names = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined || isSameValue(value, before.get(name)) ? [] : [name],
  );
  if (names.length === 0) return null;
  const { fields } = table.change(row, pickFields({ ...row.fields, ...omitUndefined(changes) }, names), clock.now());
  return { shelfId: row.shelf_id, before: pickFields(row.fields, names), after: pickFields(fields, names) };
};

const omitUndefined = (changes: ShelfChanges): Partial<ShelfFields> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

/** Runs a change of many rows in one transaction and keeps it for `undo`. */
const applyShelfEdit = (
  context: ShelfContext,
  kind: ShelfEdit['kind'],
  targets: readonly ShelfTarget[],
  change: (row: ShelfRow) => ShelfChanges,
): void => {
  const { table, clock, changed, account } = context;
  table.atomically(() => {
    const at = clock.now();
    const rows = targets.flatMap((target) => {
      const row = table.open(account(), target, at);
      return changeRow(context, row, change(row)) ?? [];
    });
    if (rows.length > 0 && (kind === 'number' || targets.length > 1)) table.edits.keep(account(), { kind, at, rows });
  });
  changed('items');
  changed('listings');
};

type SkuCounter = (
  place: string | null,
  current: string | null,
) => { frame: SkuFrame; nextSku: () => string | null } | null;

/**
 * Creates the counter of the SKUs. The next number is one more than the highest that was ever generated for the place or
 * is in use, so that no SKU is generated twice, even after its item was removed.
 */
const createSkuCounter = ({ table, settings, clock, account }: ShelfContext): SkuCounter => {
  const { skuPattern } = settings.settings();
  const highest = new Map<string, number>();
  const findHighest = (frame: SkuFrame, key: string): number => {
    const used = table.skuKeysFrom(account(), frame.before).map((sku) => readSkuNumber(frame, sku) ?? 0);
    return used.reduce((most, number) => Math.max(most, number), table.generated.highest(account(), key));
  };
  return (place) => {
    const frame = buildSkuFrame(skuPattern, { place, at: clock.now() });
    if (frame === null) return null;
    const key = getSkuFrameKey(frame);
    return {
      frame,
      nextSku: () => {
        let number = highest.get(key) ?? findHighest(frame, key);
        let sku: string | null;
        do {
          number += 1;
          sku = formatSku(frame, number);
        } while (sku !== null && table.generated.isTaken(account(), sku));
        if (sku !== null) highest.set(key, number);
        return sku;
      },
    };
  };
};

/** A generated SKU is replaced if the item is in another place now. An SKU that the person typed stays. */
const isSkuKept = ({ table, account }: ShelfContext, sku: string | null, frame: SkuFrame): boolean => {
  if (sku === null) return false;
  const generatedBy = table.generated.frameOf(account(), sku);
  return generatedBy === null || generatedBy === getSkuFrameKey(frame);
};

const numberShelf = (context: ShelfContext, targets: readonly ShelfTarget[]): NumberedShelf => {
  const { table, account } = context;
  const counter = createSkuCounter(context);
  const result: NumberedShelf = { numbered: 0, kept: 0, withoutPlace: 0 };
  applyShelfEdit(context, 'number', targets, ({ fields: { sku: current, place } }) => {
    const counted = counter(place, current);
    if (counted !== null && isSkuKept(context, current, counted.frame)) {
      result.kept += 1;
      return {};
    }
    const sku = counted?.nextSku() ?? null;
    if (counted === null || sku === null) {
      result.withoutPlace += 1;
      return {};
    }
    const number = readSkuNumber(counted.frame, sku) ?? 0;
    table.generated.add(account(), sku, getSkuFrameKey(counted.frame), number);
    result.numbered += 1;
    return { sku };
  });
  return result;
};

/** Restores the fields that the last bulk edit or numbering changed, unless the person has changed them since then. */
const undoShelfEdit = ({ table, clock, changed, account }: ShelfContext): void => {
  const last = table.edits.last(account());
  if (last === null) throw createProblem('NOTHING_TO_UNDO');
  table.atomically(() => {
    for (const { shelfId, before, after } of last.rows) {
      const row = table.byId(shelfId);
      if (row === null) continue;
      const now = new Map(Object.entries(row.fields));
      const written = Object.entries(after);
      const same = written.flatMap(([name, value]) => (isSameValue(now.get(name), value) ? [name] : []));
      if (last.kind === 'number' && same.includes('sku') && after.sku) table.generated.release(account(), after.sku);
      table.change(row, pickFields({ ...emptyShelf, ...omitUndefined(before) }, same), clock.now());
    }
    table.edits.forget(account());
  });
  changed('items');
  changed('listings');
};

const readShelfView = (context: ShelfContext, target: OneShelfTarget): ShelfView => {
  const { table, account } = context;
  const searched = findShelfTarget(context, target) ?? toSearchedTarget(target);
  const fields = table.find(account(), searched)?.fields ?? emptyShelf;
  const { sku, place } = fields;
  const others = sku === null ? [] : table.withSku(account(), sku);
  const isOwn = ({ itemId, listingId }: ShelfTarget): boolean =>
    (itemId !== null && itemId === searched.itemId) || (listingId !== null && listingId === searched.listingId);
  const counted = createSkuCounter(context)(place, sku);
  return {
    fields,
    skuTakenBy: others.find((other) => !isOwn(other)) ?? null,
    nextSku: counted === null || isSkuKept(context, sku, counted.frame) ? null : counted.nextSku(),
  };
};

const maxFolderNames = 10;
const folderNamesSetting = 'folder names';
const folderNames = z.array(z.string());

/** Remembers the names of the last folders, so that the person can try a pattern on them. */
const createFolderNameMemory = (settings: Pick<SettingsTable, 'read' | 'write'>) => ({
  list: (): string[] => settings.read(folderNamesSetting, folderNames) ?? [],
  note: (names: readonly string[]): void => {
    if (names.length === 0) return;
    const all = [...new Set([...names.toReversed(), ...(settings.read(folderNamesSetting, folderNames) ?? [])])];
    settings.write(folderNamesSetting, all.slice(0, maxFolderNames));
  },
});

const unfilledRow = z.object({
  account: z.string(),
  item_id: z.string(),
  listing_id: z.string().nullable(),
  private_words: createJsonColumn(z.array(privatePart)),
});
const filledSetting = 'shelf filled';

/** Fills the shelf once from the private words of items that are older than the shelf. */
const fillFromOlderItems = ({ table, settings, clock, usualCurrency }: ShelfContext): void => {
  if (settings.read(filledSetting, z.boolean()) === true) return;
  table.atomically(() => {
    for (const { account, item_id, listing_id, private_words } of z.array(unfilledRow).parse(table.unfilled())) {
      const row = table.open(account, { itemId: item_id, listingId: listing_id }, clock.now());
      table.change(row, readShelfFields(private_words, usualCurrency()), clock.now());
    }
    settings.write(filledSetting, true);
  });
};

type Package = NonNullable<ShelfFields['package']>;

const mergePackages = (before: Package | null, { weightG, lengthMm, widthMm, heightMm }: Package): Package => ({
  weightG: weightG ?? before?.weightG ?? null,
  lengthMm: lengthMm ?? before?.lengthMm ?? null,
  widthMm: widthMm ?? before?.widthMm ?? null,
  heightMm: heightMm ?? before?.heightMm ?? null,
});

export type Shelf = ReturnType<typeof createShelf>;

/**
 * Creates the shelf: what the seller knows about items and listings and the service does not. Its changes stay on this
 * computer, use no allowance and need no approval, also when the listing is live or sold.
 */
export const createShelf = (context: ShelfContext) => {
  const { table, account, settings, usualCurrency } = context;
  const names = createFolderNameMemory(settings);
  fillFromOlderItems(context);
  return {
    /** Returns empty fields if nothing is stored. */
    read: (target: OneShelfTarget): ShelfView => readShelfView(context, target),
    /**
     * Changes one or many rows. `addTags` keeps the other tags, and `addPackage` the other measures of the package. An edit
     * of several rows can be undone.
     */
    change: (
      targets: ShelfTargets,
      changes: ShelfChanges,
      addTags: readonly string[] = [],
      addPackage: ShelfFields['package'] = null,
    ): void =>
      applyShelfEdit(context, 'bulk', findShelfTargets(context, targets), ({ fields }) => ({
        ...changes,
        ...(addTags.length > 0 && { tags: uniteTags(changes.tags ?? fields.tags, addTags).slice(0, maxTags) }),
        ...(addPackage !== null && { package: mergePackages(fields.package, addPackage) }),
      })),
    /** Gives each target the next SKU of its place, in the order of the targets. */
    number: (targets: ShelfTargets): NumberedShelf => numberShelf(context, findShelfTargets(context, targets)),
    /** Undoes the last bulk edit or numbering. Throws `NOTHING_TO_UNDO`. */
    undo: (): void => undoShelfEdit(context),
    lastEdit: (): LastShelfEdit | null => {
      const last = table.edits.last(account());
      return last && { kind: last.kind, at: last.at, count: last.rows.length };
    },
    /** Returns what the labels of the targets show, in the order of the targets. */
    labels: (targets: ShelfTargets): Label[] =>
      findShelfTargets(context, targets).map((target) => {
        const { sku, place } = table.find(account(), target)?.fields ?? emptyShelf;
        return { sku, place, title: table.nameOf(account(), target) };
      }),
    /** Returns the items and listings with this SKU, as a scanner reads it. */
    findBySku: (sku: string): NamedShelfTarget[] => table.withSku(account(), sku),
    /** Remembers the names of the last folders, for `previewFolders`. */
    noteFolderNames: names.note,
    /** Shows how a pattern reads the last folder names, newest first. */
    previewFolders: (folderPattern: string): FolderNamePreview[] =>
      names.list().map((folderName) => {
        const { words, privateParts } = splitFolderName(folderName, undefined, folderPattern);
        return { folderName, words, fields: { ...emptyShelf, ...readKnownFields(privateParts, usualCurrency()) } };
      }),
  };
};

const readKnownFields = (parts: readonly PrivatePart[], currency: string | null): Partial<ShelfFields> =>
  omitUndefined(readShelfFields(parts, currency));
