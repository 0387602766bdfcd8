import { describe, expect, test } from 'vitest';
import {
  originalDraft,
  draftOf,
  editsOf,
  filling,
  gamma,
  isChanged,
  turned,
  cutAt,
  leastSide,
  moved,
  partOf,
  turnedBy,
  wholePicture,
  withCut,
} from '../../../src/renderer/src/screens/items/photo/photoDraft.ts';
import { photoEdits, type PhotoEdits } from '../../../src/photoContract/messages.ts';
import { noEdits } from '../../../src/photoContract/constants.ts';

const left: PhotoEdits = { ...noEdits, crop: { left: 0, top: 0, width: 0.5, height: 1 } };

describe('the part of a picture that is kept', () => {
  test('turns with the picture: the left half is the upper half after a quarter to the right', () => {
    expect(turnedBy({ left: 0, top: 0, width: 0.5, height: 1 }, 1)).toEqual({ left: 0, top: 0, width: 1, height: 0.5 });
    expect(turnedBy({ left: 0.5, top: 0.25, width: 0.25, height: 0.5 }, 4)).toEqual({
      left: 0.5,
      top: 0.25,
      width: 0.25,
      height: 0.5,
    });
  });

  test('a side moves alone, and never past the side opposite', () => {
    const part = withCut(withCut(wholePicture, 'left', 0.2), 'bottom', 0.3);
    expect(part.left).toBeCloseTo(0.2);
    expect(part.width).toBeCloseTo(0.8);
    expect(cutAt(part, 'bottom')).toBeCloseTo(0.3);
    const thin = withCut(part, 'right', 5);
    expect(thin.width).toBeCloseTo(leastSide);
    expect(thin.left).toBeCloseTo(0.2);
  });

  test('stays inside when it is moved', () => {
    expect(moved({ left: 0.5, top: 0, width: 0.5, height: 0.5 }, 0.3, -1)).toMatchObject({ left: 0.5, top: 0 });
  });

  test('a part of a part is never too small, or outside, for the core', () => {
    let part = wholePicture;
    for (let time = 0; time < 12; time += 1) part = partOf(part, { left: 0.9, top: 0.9, width: 0.1, height: 0.1 });
    expect(photoEdits.safeParse({ ...noEdits, crop: part }).success).toBe(true);
  });
});

describe('edits from what was done to the picture that is shown', () => {
  test('nothing done changes nothing', () => {
    expect(isChanged(left, draftOf(left))).toBe(false);
    expect(editsOf(left, draftOf(left))).toEqual(left);
  });

  test('a second cut is one of the whole photo', () => {
    const draft = { ...draftOf(left), part: { left: 0.5, top: 0, width: 0.5, height: 1 } };
    expect(editsOf(left, draft).crop).toEqual({ left: 0.25, top: 0, width: 0.25, height: 1 });
  });

  test('turning takes what was cut before with it; four turns are none', () => {
    const once = turned(draftOf(left), 1);
    expect(editsOf(left, once)).toMatchObject({ quarterTurns: 1, crop: { left: 0, top: 0, width: 1, height: 0.5 } });
    expect(isChanged(left, turned(once, -1))).toBe(false);
  });

  test('as taken is without edits', () => {
    const kept: PhotoEdits = { quarterTurns: 3, straightenDeg: 4, brighten: 30, crop: left.crop };
    expect(editsOf(kept, originalDraft(kept))).toEqual(noEdits);
  });

  test('the picture fills its frame when straightened, and brightening is told from what is kept', () => {
    expect(filling(0, 1.5)).toBe(1);
    expect(filling(-10, 1)).toBeCloseTo(filling(10, 1));
    expect(filling(10, 2)).toBeGreaterThan(filling(10, 1));
    expect(gamma({ ...noEdits, brighten: 40 }, { ...draftOf(noEdits), brighten: 40 })).toBe(1);
    expect(gamma(noEdits, { ...draftOf(noEdits), brighten: 100 })).toBe(0.5);
  });
});
