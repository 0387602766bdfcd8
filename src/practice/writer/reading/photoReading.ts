import * as z from 'zod';

const share = z.number();

/** A retail code; `turn` counts the quarter turns by which it stands in the picture. */
export const barcode = z.object({ format: z.string(), text: z.string(), turn: z.number().int() });

/** A line of printed text; confidences go from 0 to 100. */
export const textLine = z.object({
  text: z.string(),
  confidence: z.number(),
  /** Height, top and left are shares of the picture's own height and width. */
  height: share,
  top: share,
  left: share,
  words: z.array(z.object({ text: z.string(), confidence: z.number(), height: share })),
});

/** A colour by its English name, and the share of the item that has it. */
export const colourShare = z.object({ name: z.string(), share });

/** What one photo shows, as read in the worker. */
export const photoReading = z.object({
  width: z.number().int(),
  height: z.number().int(),
  sharpness: z.number(),
  barcodes: z.array(barcode),
  lines: z.array(textLine),
  colours: z.array(colourShare),
});

export type Barcode = z.infer<typeof barcode>;
export type TextLine = z.infer<typeof textLine>;
export type ColourShare = z.infer<typeof colourShare>;
export type PhotoReading = z.infer<typeof photoReading>;

/**
 * `read` reads everything at a working size; `fullSizeBarcodes` reads only barcodes, at full size; `shrink` reads
 * nothing and gives a small JPEG without anything that the camera wrote into the photo.
 */
export const readingRequest = z.object({
  id: z.number().int(),
  task: z.enum(['read', 'fullSizeBarcodes', 'shrink']),
  path: z.string(),
});

/** What the worker is started with: which build of the image library it loads, as it cannot know where it runs. */
export const readerStart = z.object({ wasm: z.boolean() });
export type ReaderStart = z.infer<typeof readerStart>;

const id = z.number().int();

/** What the worker answers to one request, by the request's id. */
export const readingAnswer = z.union([
  z.object({ id, ok: z.literal(true), reading: photoReading }),
  z.object({ id, ok: z.literal(true), jpeg: z.instanceof(Uint8Array) }),
  z.object({ id, ok: z.literal(false), why: z.string() }),
]);

export type ReadingRequest = z.infer<typeof readingRequest>;
export type ReadingAnswer = z.infer<typeof readingAnswer>;
