import type { Db } from '../../db/database.ts'
import type { Meeting } from '../../meetings/meeting.ts'
import { DEFAULT_TEMPLATE, type ProjectRecapSettings, type RecapTemplate } from '../template.ts'

/** The fields to change. */
export type RecapTemplateChange = Partial<ProjectRecapSettings>

/** What a project has decided about its recaps. Its language is null if it has chosen none. */
export async function readProjectTemplate(db: Db, project: string): Promise<ProjectRecapSettings> {
  const row = await db
    .selectFrom('recap_template')
    .select(['language', 'sections', 'instructions', 'mail_recipients as mailRecipients'])
    .where('project', '=', project)
    .executeTakeFirst()
  if (row === undefined) return { ...DEFAULT_TEMPLATE, mailRecipients: 'nobody' }
  return { ...row, sections: row.sections ?? DEFAULT_TEMPLATE.sections }
}

/** The template of a meeting's recap. `defaultLanguage` is used if neither the meeting nor its project chose one. */
export async function readMeetingTemplate(
  db: Db,
  { project, options }: Pick<Meeting, 'project' | 'options'>,
  defaultLanguage: string | null,
): Promise<RecapTemplate> {
  const template = await readProjectTemplate(db, project)
  return { ...template, language: options.recapLanguage ?? template.language ?? defaultLanguage }
}

/** Changes these fields and keeps the others. */
export async function changeProjectTemplate(
  db: Db,
  project: string,
  { language, sections, instructions, mailRecipients }: RecapTemplateChange,
  at: Date,
): Promise<void> {
  const columns = {
    ...(language !== undefined && { language }),
    ...(sections !== undefined && { sections: [...sections] }),
    ...(instructions !== undefined && { instructions }),
    ...(mailRecipients !== undefined && { mail_recipients: mailRecipients }),
    changed_at: at,
  }
  await db
    .insertInto('recap_template')
    .values({ project, ...columns })
    .onConflict((conflict) => conflict.column('project').doUpdateSet(columns))
    .execute()
}
