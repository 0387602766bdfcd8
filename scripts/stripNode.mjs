import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes the debug symbols, a sixth of the size, from the Node in a Linux package. Leaves Node unchanged if the tool is
 * missing or does not support the processor of this Node.
 * @param {{ appOutDir: string }} packed
 */
export default ({ appOutDir }) => {
  const node = join(appOutDir, 'resources', 'node');
  if (existsSync(node)) spawnSync('strip', [node], { stdio: 'ignore' });
};
