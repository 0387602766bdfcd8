import { describe, expect, test } from 'vitest';
import {
  createOriginalDraft,
  createPhotoDraft,
  convertDraftToEdits,
  computeFillScale,
  computeBrightnessGamma,
  isPhotoDraftChanged,
  rotatePhotoDraft,
  getCropAmount,
  minCropSide,
  moveRect,
  composeRects,
  wholePicture,
  cropRectSide,
  followSavedEdits,
} from '../../../src/renderer/src/screens/items/photo/photoDraft.ts';
import { photoEdits, type PhotoEdits } from '../../../src/photoContract/messages.ts';
import { rotateEdits, rotateRect } from '../../../src/core/base/rotateEdits.ts';
import { noEdits } from '../../../src/photoContract/constants.ts';

const left: PhotoEdits = { ...noEdits, crop: { left: 0, top: 0, width: 0.5, height: 1 } };

describe('the crop of a picture', () => {
  test('rotates together with the picture', () => {
    expect(rotateRect({ left: 0, top: 0, width: 0.5, height: 1 }, 1)).toEqual({
      left: 0,
      top: 0,
      width: 1,
      height: 0.5,
    });
    expect(rotateRect({ left: 0.5, top: 0.25, width: 0.25, height: 0.5 }, 4)).toEqual({
      left: 0.5,
      top: 0.25,
      width: 0.25,
      height: 0.5,
    });
  });

  test('can change one side at a time, but not beyond the opposite side', () => {
    const part = cropRectSide(cropRectSide(wholePicture, 'left', 0.2), 'bottom', 0.3);
    expect(part.left).toBeCloseTo(0.2);
    expect(part.width).toBeCloseTo(0.8);
    expect(getCropAmount(part, 'bottom')).toBeCloseTo(0.3);
    const thin = cropRectSide(part, 'right', 5);
    expect(thin.width).toBeCloseTo(minCropSide);
    expect(thin.left).toBeCloseTo(0.2);
  });

  test('stays inside the picture when it is moved', () => {
    expect(moveRect({ left: 0.5, top: 0, width: 0.5, height: 0.5 }, 0.3, -1)).toMatchObject({ left: 0.5, top: 0 });
  });

  test('remains valid after repeated cropping', () => {
    let part = wholePicture;
    for (let time = 0; time < 12; time += 1)
      part = composeRects(part, { left: 0.9, top: 0.9, width: 0.1, height: 0.1 });
    expect(photoEdits.safeParse({ ...noEdits, crop: part }).success).toBe(true);
  });
});

describe('photo edits made in the editor', () => {
  test('are unchanged if the person changes nothing', () => {
    expect(isPhotoDraftChanged(left, createPhotoDraft(left))).toBe(false);
    expect(convertDraftToEdits(left, createPhotoDraft(left))).toEqual(left);
  });

  test('store a second crop relative to the whole photo', () => {
    const draft = { ...createPhotoDraft(left), part: { left: 0.5, top: 0, width: 0.5, height: 1 } };
    expect(convertDraftToEdits(left, draft).crop).toEqual({ left: 0.25, top: 0, width: 0.25, height: 1 });
  });

  test('rotate an earlier crop together with the photo', () => {
    const once = rotatePhotoDraft(createPhotoDraft(left), 1);
    expect(convertDraftToEdits(left, once)).toMatchObject({
      quarterTurns: 1,
      crop: { left: 0, top: 0, width: 1, height: 0.5 },
    });
    expect(isPhotoDraftChanged(left, rotatePhotoDraft(once, -1))).toBe(false);
  });

  test('are all removed by restoring the original', () => {
    const kept: PhotoEdits = { quarterTurns: 3, straightenDeg: 4, brighten: 30, crop: left.crop };
    expect(convertDraftToEdits(kept, createOriginalDraft(kept))).toEqual(noEdits);
  });

  test('scale a straightened picture until it fills its frame', () => {
    expect(computeFillScale(0, 1.5)).toBe(1);
    expect(computeFillScale(-10, 1)).toBeCloseTo(computeFillScale(10, 1));
    expect(computeFillScale(10, 2)).toBeGreaterThan(computeFillScale(10, 1));
    expect(computeBrightnessGamma({ ...noEdits, brighten: 40 }, { ...createPhotoDraft(noEdits), brighten: 40 })).toBe(
      1,
    );
    expect(computeBrightnessGamma(noEdits, { ...createPhotoDraft(noEdits), brighten: 100 })).toBe(0.5);
  });
});

describe('edits that are saved elsewhere', () => {
  const draft = { ...createPhotoDraft(noEdits), part: cropRectSide(wholePicture, 'left', 0.2), brighten: 10 };

  test('rotate the crop of a photo together with the photo', () => {
    expect(rotateEdits(left, 1)).toEqual({
      ...left,
      quarterTurns: 1,
      crop: { left: 0, top: 0, width: 1, height: 0.5 },
    });
    expect(rotateEdits(rotateEdits(left, 1), -1)).toEqual(left);
  });

  test('rotate an unsaved draft and keep its changes', () => {
    const after = rotateEdits(noEdits, -1);
    const followed = followSavedEdits(noEdits, after, draft);
    expect(followed).toEqual({ ...draft, part: { left: 0, top: 0, width: 1, height: 0.8 } });
    expect(followSavedEdits(noEdits, { ...noEdits }, draft)).toBe(draft);
  });

  test('start a new draft if they are the draft itself or another change of the picture', () => {
    const saved = convertDraftToEdits(noEdits, draft);
    expect(followSavedEdits(noEdits, saved, draft)).toEqual(createPhotoDraft(saved));
    expect(followSavedEdits(noEdits, left, draft)).toEqual(createPhotoDraft(left));
    const rotated = rotateEdits(noEdits, 1);
    expect(followSavedEdits(noEdits, rotated, createPhotoDraft(noEdits))).toEqual(createPhotoDraft(rotated));
  });
});
