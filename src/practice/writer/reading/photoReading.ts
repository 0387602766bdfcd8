import * as z from 'zod';

export const maxPhotoBytes = 400e6;

const share = z.number();

export const barcode = z.object({ format: z.string(), text: z.string() });

/** `confidence` is from 0 to 100. */
export const textLine = z.object({
  text: z.string(),
  confidence: z.number(),
  /** Fractions of the picture's height and width. */
  height: share,
  top: share,
  left: share,
  words: z.array(z.object({ text: z.string(), confidence: z.number(), height: share })),
});

export const colourShare = z.object({ name: z.string(), share });

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

export const readingTask = z.enum(['read', 'fullSizeBarcodes', 'shrink']);

const id = z.number().int();

/** The bytes of the photo follow a `read` message. */
export const toReader = z.discriminatedUnion('type', [
  z.object({ type: z.literal('read'), id, task: readingTask }),
  z.object({ type: z.literal('cancel'), id }),
]);

/** The bytes of the JPEG follow a `shrunk` message. */
const readerResult = z.discriminatedUnion('type', [
  z.object({ type: z.literal('seen'), id, reading: photoReading }),
  z.object({ type: z.literal('shrunk'), id }),
  z.object({ type: z.literal('unreadable'), id }),
]);

/** `died` means that the photo crashed its thread. */
export const fromReader = z.discriminatedUnion('type', [
  ...readerResult.options,
  z.object({ type: z.literal('died'), id }),
  z.object({ type: z.literal('cancelled'), id }),
]);

export const threadStart = z.object({ wasm: z.boolean() });

export const toThread = z.object({ id, task: readingTask, original: z.instanceof(Uint8Array) });

export const fromThread = z.object({ answer: readerResult, parts: z.array(z.instanceof(Uint8Array)) });

export type ReadingTask = z.infer<typeof readingTask>;
export type ReaderResult = z.infer<typeof readerResult>;
export type FromReader = z.infer<typeof fromReader>;
export type ThreadStart = z.infer<typeof threadStart>;
export type ToThread = z.infer<typeof toThread>;
export type FromThread = z.infer<typeof fromThread>;
