/** An item's photos, the seller's words, and the site of the listing. */
export type WritingInput = {
  photos: { path: string }[];
  words: string;
  quantity: number;
  marketplaceId: string;
  /** BCP-47 tag of the language to write in. */
  language: string;
};

/** A fact that the seller should check or add. */
export type ListingNote = {
  field: string;
  /** An English sentence for the seller; buyers do not see it. */
  message: string;
  /** Whether the listing cannot be published without it. */
  blocks: boolean;
};

export type WrittenListing = {
  ok: true;
  title: string;
  /** HTML; texts from photos and from the seller are escaped. */
  description: string;
  categoryId: string;
  categoryName: string;
  condition: string;
  conditionDescription: string;
  suggestedPriceCents: number;
  itemSpecifics: Record<string, string>;
  notes: ListingNote[];
};

/** Says why there is no listing, with a sentence for the seller. */
export type NotWritten = { ok: false; code: 'IMAGES_UNREADABLE'; sentence: string };

export type Written = WrittenListing | NotWritten;

/** Writes a listing from photos and words. The built-in writer is deterministic. */
export type Writer = {
  write(input: WritingInput, signal?: AbortSignal): Promise<Written>;
  close(): Promise<void>;
};
