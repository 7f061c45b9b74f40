import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { findCacheFolder, IS_PACKAGE } from '../config/load-config.ts'

/**
 * Lets an installed package keep compiled code in its data folder, so that its next start is faster. In a clone the
 * launcher has already enabled a cache.
 */
export function enablePackageCompileCache(config: Config): void {
  // Node would create a data folder that other accounts can read.
  if (IS_PACKAGE && existsSync(config.data))
    enableCompileCache(join(findCacheFolder(config), 'compile'))
}
