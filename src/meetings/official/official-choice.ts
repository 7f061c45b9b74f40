import type { Db } from '../../db/database.ts'
import type { OfficialMode } from './choose-lines.ts'

/** For projects that chose nothing. It changes no line of the bot. */
const DEFAULT_MODE: OfficialMode = 'fill'

/** What the project wants done with official transcripts of meetings that bots attended. */
export async function readOfficialChoice(db: Db, project: string): Promise<OfficialMode> {
  const row = await db
    .selectFrom('official_choice')
    .select('mode')
    .where('project', '=', project)
    .executeTakeFirst()
  return row?.mode ?? DEFAULT_MODE
}

/** For transcripts that are found from then on. */
export async function changeOfficialChoice(
  db: Db,
  project: string,
  mode: OfficialMode,
): Promise<void> {
  await db
    .insertInto('official_choice')
    .values({ project, mode })
    .onConflict((conflict) => conflict.column('project').doUpdateSet({ mode }))
    .execute()
}
