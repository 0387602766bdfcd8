import { expect, test } from 'vitest';
import { isOnOtherMachine } from '../../../../src/core/assistants/allowedPhotos.ts';

const here = ['C:\\Users\\Ann\\Photos'];
const shared = ['\\\\NAS\\Photos\\2026', ...here];

test.each([
  [here, '\\\\evil.example\\share\\photo.jpg', true],
  [here, '//evil.example/share/photo.jpg', true],
  [here, '\\/evil.example/share/photo.jpg', true],
  [here, '\\\\evil.example', true],
  [here, '\\\\?\\UNC\\evil.example\\share\\photo.jpg', true],
  [here, '\\\\.\\pipe\\something', true],
  [shared, '\\\\evil.example\\share\\photo.jpg', true],
  [shared, '\\\\nas\\other\\photo.jpg', true],
  [shared, '//nas/photos/2026/photo.jpg', false],
  [shared, '\\\\NAS\\Photos\\2027\\photo.jpg', false],
  [here, 'C:\\Users\\Bob\\photo.jpg', false],
  [here, '\\Users\\Ann\\Photos\\photo.jpg', false],
])('with the allowed folders %j, the path %j is on another machine: %s', (folders, path, elsewhere) => {
  expect(isOnOtherMachine(folders, path)).toBe(elsewhere);
});
