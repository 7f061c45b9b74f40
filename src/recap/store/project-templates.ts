import { maySharerShare } from '../../access/sharing/guest-shares.ts'
import type { Db } from '../../db/database.ts'
import type { Meeting } from '../../meetings/meeting.ts'
import {
  DEFAULT_TEMPLATE,
  GUEST_LINK_DAYS,
  type ProjectRecapSettings,
  type RecapTemplate,
} from '../template.ts'

/** The fields to change. */
export type RecapTemplateChange = Partial<ProjectRecapSettings>

/** What a project has decided about its recaps. Its language is null if it has chosen none. */
export async function readProjectTemplate(db: Db, project: string): Promise<ProjectRecapSettings> {
  const row = await db
    .selectFrom('recap_template')
    .select(['language', 'sections', 'instructions', 'mail_recipients as mailRecipients'])
    .select(['guest_mail_by as createdBy', 'guest_mail_user_id as creatorId'])
    .select('guest_link_days as guestLinkDays')
    .where('project', '=', project)
    .executeTakeFirst()
  if (row === undefined)
    return {
      ...DEFAULT_TEMPLATE,
      mailRecipients: 'nobody',
      guestSharer: null,
      guestLinkDays: GUEST_LINK_DAYS.default,
    }
  const { createdBy, creatorId, ...rest } = row
  const sharer = createdBy === null ? null : { createdBy, creatorId }
  const maySend = sharer !== null && (await maySharerShare(db, project, sharer))
  return {
    ...rest,
    sections: row.sections ?? DEFAULT_TEMPLATE.sections,
    guestSharer: maySend ? sharer : null,
  }
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
  change: RecapTemplateChange,
  at: Date,
): Promise<void> {
  const { language, sections, instructions, mailRecipients, guestSharer, guestLinkDays } = change
  const columns = {
    ...(language !== undefined && { language }),
    ...(sections !== undefined && { sections: [...sections] }),
    ...(instructions !== undefined && { instructions }),
    ...(mailRecipients !== undefined && { mail_recipients: mailRecipients }),
    ...(guestSharer !== undefined && {
      guest_mail_by: guestSharer?.createdBy ?? null,
      guest_mail_user_id: guestSharer?.creatorId ?? null,
    }),
    ...(guestLinkDays !== undefined && { guest_link_days: guestLinkDays }),
    changed_at: at,
  }
  await db
    .insertInto('recap_template')
    .values({ project, ...columns })
    .onConflict((conflict) => conflict.column('project').doUpdateSet(columns))
    .execute()
}
