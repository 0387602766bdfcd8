import { build } from './build.mjs';
import { codeFile } from './codeFile.mjs';
import { electronBinary } from './electronBinary.mjs';
import { hasSources, root } from './root.mjs';
import { nodePath, allocatorLimits, runNode, runProgram } from './runNode.mjs';
import { hasSandbox, sandboxAdvice, sandboxProbe } from './sandbox.mjs';

const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY']) || Boolean(process.env['WAYLAND_DISPLAY']);

/** Chromium's sandbox does not work as root, so the window opens without it. Other users need a working sandbox. */
const isLinuxRoot = process.platform === 'linux' && process.getuid?.() === 0;
const isSafe = (binary) => process.platform !== 'linux' || isLinuxRoot || hasSandbox(sandboxProbe(binary));

/**
 * Returns the command that opens the window, or the reason why the companion opens in a browser.
 * @returns {Promise<{ command: [string, ...string[]] } | { why: string }>}
 */
const findWindow = async () => {
  if (!hasDisplay()) return { why: 'There is no display here, so the companion opens in a browser.' };
  const binary = await electronBinary();
  if (binary === null) return { why: 'Electron is not installed here, so the companion opens in your browser.' };
  if (!isSafe(binary)) return { why: sandboxAdvice(binary) };
  return { command: isLinuxRoot ? [binary, '--no-sandbox'] : [binary] };
};

/** The command line for assistants, which the app shows. It needs Node, because Electron's program is not Node. */
const commandLine = () => JSON.stringify([nodePath(), codeFile('cli')]);

/**
 * Starts the companion in Electron if Electron and its sandbox are available, else in a browser.
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
  return runNode([codeFile('headless', { isBuilt: true }), ...args], { env: allocatorLimits });
};
