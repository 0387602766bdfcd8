import { build } from './build.mjs';
import { electronBinary } from './electronBinary.mjs';
import { runNode, runProgram } from './runNode.mjs';
import { root } from './root.mjs';

const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY']) || Boolean(process.env['WAYLAND_DISPLAY']);

const whyNoWindow = async () => {
  if (!hasDisplay())
    return { binary: null, sentence: 'There is no display here, so the companion opens in a browser.' };
  const binary = await electronBinary();
  return { binary, sentence: 'Electron is not installed here, so the companion opens in your browser.' };
};

/**
 * glibc learns from large pieces of memory to keep them, and photos are nothing else: half of what a folder of them took
 * would stay with the process for good. A fixed threshold keeps it from learning. Other systems do not read it.
 */
const givesMemoryBack = { MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'] ?? '131072' };

/**
 * Starts the companion: in Electron where its binary is there or can be had, in a browser otherwise.
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export const startCompanion = async (args) => {
  const code = build();
  if (code !== 0) return code;
  if (!args.includes('--headless')) {
    const { binary, sentence } = await whyNoWindow();
    if (binary !== null) {
      const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
      return runProgram(binary, [...(asRoot ? ['--no-sandbox'] : []), root, ...args]);
    }
    console.error(sentence);
  }
  return runNode(['src/headless/index.ts', ...args], { env: givesMemoryBack });
};
