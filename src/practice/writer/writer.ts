export type WritingInput = {
  photos: { path: string }[];
  words: string;
  quantity: number;
  marketplaceId: string;
  language: string;
};

export type ListingNote = {
  field: string;
  /** An English sentence for the seller. Buyers do not see it. */
  message: string;
  /** True if the listing cannot be published without this fact. */
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

/** `sentence` explains to the seller why there is no listing. */
export type NotWritten = { ok: false; code: 'IMAGES_UNREADABLE'; sentence: string };

export type Written = WrittenListing | NotWritten;

/** Writes a listing from photos and words. The built-in writer always writes the same listing for the same input. */
export type Writer = {
  write(input: WritingInput, signal?: AbortSignal): Promise<Written>;
  close(): Promise<void>;
};
