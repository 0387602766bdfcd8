import * as z from 'zod';

/** No photo has more bytes; larger files are not read. */
export const maxPhotoBytes = 400e6;

const share = z.number();

/** A retail code. */
export const barcode = z.object({ format: z.string(), text: z.string() });

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

/** What one photo shows, as it was read. */
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
 * `read` reads everything at a working size; `findFullSizeBarcodes` reads only barcodes, at full size; `shrink` reads
 * nothing and gives a small JPEG without anything that the camera wrote into the photo.
 */
export const readingTask = z.enum(['read', 'fullSizeBarcodes', 'shrink']);

const id = z.number().int();

/** What the process that reads photos is told; the photo's bytes go with a `read`. */
export const toReader = z.discriminatedUnion('type', [
  z.object({ type: z.literal('read'), id, task: readingTask }),
  z.object({ type: z.literal('cancel'), id }),
]);

/** What a photo shows; the JPEG goes with `shrunk`. */
const readerResult = z.discriminatedUnion('type', [
  z.object({ type: z.literal('seen'), id, reading: photoReading }),
  z.object({ type: z.literal('shrunk'), id }),
  z.object({ type: z.literal('unreadable'), id }),
]);

/** What it answers. `died`: the photo ended its thread. `cancelled`: as it was told. */
export const fromReader = z.discriminatedUnion('type', [
  ...readerResult.options,
  z.object({ type: z.literal('died'), id }),
  z.object({ type: z.literal('cancelled'), id }),
]);

/** What a thread of it is started with: which build of the image library it loads. */
export const threadStart = z.object({ wasm: z.boolean() });

/** What the thread is asked. One question at a time. */
export const toThread = z.object({ id, task: readingTask, original: z.instanceof(Uint8Array) });

/** What it answers, with the bytes that belong to it. */
export const fromThread = z.object({ answer: readerResult, parts: z.array(z.instanceof(Uint8Array)) });

export type ReadingTask = z.infer<typeof readingTask>;
export type ReaderResult = z.infer<typeof readerResult>;
export type FromReader = z.infer<typeof fromReader>;
export type ThreadStart = z.infer<typeof threadStart>;
export type ToThread = z.infer<typeof toThread>;
export type FromThread = z.infer<typeof fromThread>;
