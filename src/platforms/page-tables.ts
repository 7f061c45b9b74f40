import type { Log } from '../log.ts'
import { GOOGLE_MEET_PAGE } from './google-meet/states.ts'
import { MICROSOFT_TEAMS_PAGE } from './microsoft-teams/states.ts'
import { createPageTables, type PageTables } from './page/override-file.ts'

const BUILT_IN = { google_meet: GOOGLE_MEET_PAGE, microsoft_teams: MICROSOFT_TEAMS_PAGE }

/** What is known of the pages of every platform that lives in one; `path`: HANSARD_SELECTORS_FILE. */
export function openPageTables(
  path: string | undefined,
  log: Log,
): PageTables<keyof typeof BUILT_IN> {
  return createPageTables({ path, builtIn: BUILT_IN, log })
}
