import { build } from './build.mjs';
import { codeFile } from './codeFile.mjs';
import { electronBinary } from './electronBinary.mjs';
import { hasSources, root } from './root.mjs';
import { nodePath, oneHeap, runNode, runProgram } from './runNode.mjs';
import { hasSandbox, sandboxAdvice, sandboxProbe } from './sandbox.mjs';

const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY']) || Boolean(process.env['WAYLAND_DISPLAY']);

/** Chromium's sandbox does not start as root; for anybody else nothing starts without it. */
const isLinuxRoot = process.platform === 'linux' && process.getuid?.() === 0;
const isSafe = (binary) => process.platform !== 'linux' || isLinuxRoot || hasSandbox(sandboxProbe(binary));

/**
 * What opens the window, or else what to say about why it opens in a browser.
 * @returns {Promise<{ command: [string, ...string[]] } | { why: string }>}
 */
const findWindow = async () => {
  if (!hasDisplay()) return { why: 'There is no display here, so the companion opens in a browser.' };
  const binary = await electronBinary();
  if (binary === null) return { why: 'Electron is not installed here, so the companion opens in your browser.' };
  if (!isSafe(binary)) return { why: sandboxAdvice(binary) };
  return { command: isLinuxRoot ? [binary, '--no-sandbox'] : [binary] };
};

/** How assistants start the command line of this copy, for the app to show: Electron's own program is no Node. */
const commandLine = () => JSON.stringify([nodePath(), codeFile('cli')]);

/**
 * Starts the companion: in Electron where its binary is there or can be had, and its sandbox works; in a browser otherwise.
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export const startCompanion = async (args) => {
  const code = hasSources ? build() : 0;
  if (code !== 0) return code;
  if (!args.includes('--headless')) {
    const window = await findWindow();
    if ('command' in window) {
      const [program, ...flags] = window.command;
      return runProgram(program, [...flags, root, ...args], { env: { LISTING_COMPANION_COMMAND: commandLine() } });
    }
    console.error(window.why);
  }
  return runNode([codeFile('headless', { isBuilt: true }), ...args], { env: oneHeap });
};
