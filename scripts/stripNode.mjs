import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes debug symbols from the Node that a Linux package contains, which saves a sixth of its size. Leaves Node unchanged
 * if it is for another processor or if the tool is missing.
 * @param {{ appOutDir: string }} packed
 */
export default ({ appOutDir }) => {
  const node = join(appOutDir, 'resources', 'node');
  if (existsSync(node)) spawnSync('strip', [node], { stdio: 'ignore' });
};
