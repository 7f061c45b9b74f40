import type { Log } from '../../log.ts'
import { GOOGLE_MEET_PAGE_MODEL } from './google-meet/page-model.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from './microsoft-teams/page-model.ts'
import { createPageModels, type PageModels } from './page-model/selectors-file.ts'

const BUILT_IN_PAGE_MODELS = {
  google_meet: GOOGLE_MEET_PAGE_MODEL,
  microsoft_teams: MICROSOFT_TEAMS_PAGE_MODEL,
}

/** What is known of the pages of every platform that lives in one; `path`: HANSARD_SELECTORS_FILE. */
export function openPageModels(
  path: string | undefined,
  log: Log,
): PageModels<keyof typeof BUILT_IN_PAGE_MODELS> {
  return createPageModels({ path, builtIn: BUILT_IN_PAGE_MODELS, log })
}
