/** Chromium's bit flags for modifier keys. */
const held = { alt: 1, control: 2, meta: 4, shift: 8 };

/** Converts an input event of Electron to the devtools protocol. */
export const keyEvent = (type, keyCode, modifiers) => {
  const isText = keyCode.length === 1 && modifiers.length === 0;
  return {
    type: type === 'keyUp' ? 'keyUp' : isText ? 'keyDown' : 'rawKeyDown',
    key: keyCode,
    windowsVirtualKeyCode: keyCode.toUpperCase().charCodeAt(0),
    modifiers: modifiers.reduce((sum, name) => sum + (held[name] ?? 0), 0),
    ...(isText && type !== 'keyUp' ? { text: keyCode } : {}),
  };
};
