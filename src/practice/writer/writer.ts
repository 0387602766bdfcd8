/** What the writer is given: an item's photos, what the person said about it, and where it will be sold. */
export type WritingInput = {
  photos: { path: string }[];
  words: string;
  quantity: number;
  marketplaceId: string;
  /** BCP-47 tag of the language to write in. */
  language: string;
};

/** Something that neither the photos nor the words tell. */
export type ListingNote = {
  field: string;
  /**
   * A sentence for the person who sells, in English as the screens are. Buyers never see it: what they should know
   * stands in the description, in the listing's language.
   */
  message: string;
  /** True when the category requires it: the listing cannot be published before it is filled in. */
  blocks: boolean;
};

/** A finished listing. */
export type WrittenListing = {
  ok: true;
  title: string;
  /** HTML; whatever came from photos or from the person is escaped in it. */
  description: string;
  categoryId: string;
  categoryName: string;
  condition: string;
  conditionDescription: string;
  suggestedPriceCents: number;
  itemSpecifics: Record<string, string>;
  notes: ListingNote[];
};

/** Why there is no listing, with a sentence for the person. */
export type NotWritten = { ok: false; code: 'IMAGES_UNREADABLE'; sentence: string };

/** What comes of writing. */
export type Written = WrittenListing | NotWritten;

/** Turns photos and words into a listing. The built-in one always writes the same of the same input. */
export type Writer = {
  write(input: WritingInput, signal?: AbortSignal): Promise<Written>;
  close(): Promise<void>;
};
