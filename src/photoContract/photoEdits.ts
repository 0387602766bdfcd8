import * as z from 'zod';

const fraction = z.number().min(0).max(1);

const side = z.number().min(0.01).max(1);

const cropped = z
  .object({ left: fraction, top: fraction, width: side, height: side })
  .refine(({ left, top, width, height }) => left + width <= 1.000001 && top + height <= 1.000001, {
    message: 'The part to keep must lie inside the photo.',
  });

/**
 * What the seller changes about a photo, in the order it is done after the photo is upright: quarter turns clockwise,
 * straightening in degrees clockwise (the corners that fall empty are cut off), the part to keep in fractions of what
 * is left then, and brightness, where 0 leaves it as it is.
 */
export const photoEdits = z.object({
  quarterTurns: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  straightenDeg: z.number().min(-15).max(15),
  crop: cropped.nullable(),
  brighten: z.number().min(-100).max(100),
});

export type PhotoEdits = z.infer<typeof photoEdits>;

/** A photo as it is. */
export const noEdits: PhotoEdits = { quarterTurns: 0, straightenDeg: 0, crop: null, brighten: 0 };
