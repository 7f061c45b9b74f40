import type { Log } from '../../log.ts'
import type { PageModel } from './page-model/page-states.ts'
import { createPageModelsLoader, type PageModelsLoader } from './page-model/selectors-file.ts'
import type { PagePlatformName } from './platform-info.ts'
import { PLATFORM_DEFINITIONS } from './registry.ts'

/** The page models of all platforms that meet in a page. `path` is HANSARD_SELECTORS_FILE. */
export function createPlatformPageModelLoader(
  path: string | undefined,
  log: Log,
): PageModelsLoader<PagePlatformName> {
  return createPageModelsLoader({ path, builtIn: builtInPageModels(), log })
}

function builtInPageModels(): Record<PagePlatformName, PageModel> {
  const rows = Object.entries(PLATFORM_DEFINITIONS).filter(
    ([, { pageModel }]) => pageModel !== null,
  )
  return Object.fromEntries(rows.map(([name, { pageModel }]) => [name, pageModel])) as Record<
    PagePlatformName,
    PageModel
  >
}
