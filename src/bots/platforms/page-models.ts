import type { Log } from '../../log.ts'
import type { PageModel } from './page-model/page-states.ts'
import { createPageModels, type PageModels } from './page-model/selectors-file.ts'
import type { PagePlatformName } from './platform-info.ts'
import { PLATFORMS } from './registry.ts'

/** The page models of all platforms that meet in a page. `path` is HANSARD_SELECTORS_FILE. */
export function openPageModels(path: string | undefined, log: Log): PageModels<PagePlatformName> {
  return createPageModels({ path, builtIn: builtInPageModels(), log })
}

function builtInPageModels(): Record<PagePlatformName, PageModel> {
  const rows = Object.entries(PLATFORMS).filter(([, { pageModel }]) => pageModel !== null)
  return Object.fromEntries(rows.map(([name, { pageModel }]) => [name, pageModel])) as Record<
    PagePlatformName,
    PageModel
  >
}
