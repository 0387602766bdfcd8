import * as z from 'zod';

export const maxPhotoBytes = 400e6;

const barcode = z.object({ format: z.string(), text: z.string() });

/** Sizes and positions are fractions of the picture's height and width. `confidence` is from 0 to 100. */
const textWord = z.object({ text: z.string(), confidence: z.number(), height: z.number() });
const textLine = z.object({ ...textWord.shape, top: z.number(), left: z.number(), words: z.array(textWord) });
const colourShare = z.object({ name: z.string(), share: z.number() });

const photoReading = z.object({
  width: z.int(),
  height: z.int(),
  barcodes: z.array(barcode),
  lines: z.array(textLine),
  colours: z.array(colourShare),
});

export type Barcode = z.infer<typeof barcode>;
export type TextLine = z.infer<typeof textLine>;
export type ColourShare = z.infer<typeof colourShare>;
export type PhotoReading = z.infer<typeof photoReading>;

const readingTask = z.enum(['read', 'fullSizeBarcodes', 'shrink']);
const id = z.int();

/** The bytes of the photo follow a `read` message. */
export const toReader = z.discriminatedUnion('type', [
  z.object({ type: z.literal('read'), id, task: readingTask }),
  z.object({ type: z.literal('cancel'), id }),
]);

/** A shrunk photo has its JPEG after the message. An unreadable photo has neither a reading nor a JPEG. */
export const fromReader = z.discriminatedUnion('type', [
  z.object({ type: z.literal('done'), id, reading: photoReading.optional() }),
  z.object({ type: z.literal('cancelled'), id }),
]);

export type ReadingTask = z.infer<typeof readingTask>;
export type FromReader = z.infer<typeof fromReader>;
export type ReaderResult = Extract<FromReader, { type: 'done' }>;

export type ToThread = { id: number; task: ReadingTask; original: Uint8Array<ArrayBuffer> };
export type FromThread = { head: ReaderResult; parts: Uint8Array[] };
