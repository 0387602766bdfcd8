import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Takes what only a debugger reads out of the Node that a package for Linux brings: a sixth of it. One for another processor,
 * or without the tool, is left as it is.
 * @param {{ appOutDir: string }} packed
 */
export default ({ appOutDir }) => {
  const node = join(appOutDir, 'resources', 'node');
  if (existsSync(node)) spawnSync('strip', [node], { stdio: 'ignore' });
};
