import * as z from 'zod';

/** Larger files are not read. */
export const maxPhotoBytes = 400e6;

const share = z.number();

/** A retail code. */
export const barcode = z.object({ format: z.string(), text: z.string() });

/** A line of printed text; confidence is from 0 to 100. */
export const textLine = z.object({
  text: z.string(),
  confidence: z.number(),
  /** Height, top and left are shares of the picture's height and width. */
  height: share,
  top: share,
  left: share,
  words: z.array(z.object({ text: z.string(), confidence: z.number(), height: share })),
});

/** A colour's English name and its share of the item. */
export const colourShare = z.object({ name: z.string(), share });

/** What was read in one photo. */
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

/** `shrink` returns a small JPEG without metadata. */
export const readingTask = z.enum(['read', 'fullSizeBarcodes', 'shrink']);

const id = z.number().int();

/** The messages to the process that reads photos. A `read` is followed by the photo's bytes. */
export const toReader = z.discriminatedUnion('type', [
  z.object({ type: z.literal('read'), id, task: readingTask }),
  z.object({ type: z.literal('cancel'), id }),
]);

/** The result of a task; `shrunk` is followed by the JPEG. */
const readerResult = z.discriminatedUnion('type', [
  z.object({ type: z.literal('seen'), id, reading: photoReading }),
  z.object({ type: z.literal('shrunk'), id }),
  z.object({ type: z.literal('unreadable'), id }),
]);

/** The messages from the process. `died`: the photo ended its thread. */
export const fromReader = z.discriminatedUnion('type', [
  ...readerResult.options,
  z.object({ type: z.literal('died'), id }),
  z.object({ type: z.literal('cancelled'), id }),
]);

/** The start options of a thread: the build of the image library. */
export const threadStart = z.object({ wasm: z.boolean() });

/** A job for a thread, which runs one job at a time. */
export const toThread = z.object({ id, task: readingTask, original: z.instanceof(Uint8Array) });

/** The thread's answer with the bytes that belong to it. */
export const fromThread = z.object({ answer: readerResult, parts: z.array(z.instanceof(Uint8Array)) });

export type ReadingTask = z.infer<typeof readingTask>;
export type ReaderResult = z.infer<typeof readerResult>;
export type FromReader = z.infer<typeof fromReader>;
export type ThreadStart = z.infer<typeof threadStart>;
export type ToThread = z.infer<typeof toThread>;
export type FromThread = z.infer<typeof fromThread>;
