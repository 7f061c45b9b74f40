import type { Db } from '../../db/database.ts'

/** Notices after an upgrade that a user sees until dismissed. `private_projects`: projects can now be private. */
export const USER_NOTICES = ['private_projects'] as const
export type UserNotice = (typeof USER_NOTICES)[number]

const NOTICE_COLUMNS = { private_projects: 'has_access_notice' } as const satisfies Record<
  UserNotice,
  string
>

export function createUserNotices({ db }: { db: Db }) {
  return {
    async list(userId: string): Promise<UserNotice[]> {
      const row = await db
        .selectFrom('app_user')
        .select(Object.values(NOTICE_COLUMNS))
        .where('id', '=', userId)
        .executeTakeFirst()
      return USER_NOTICES.filter((notice) => row?.[NOTICE_COLUMNS[notice]] === true)
    },
    async dismiss(userId: string, notice: UserNotice): Promise<void> {
      await db
        .updateTable('app_user')
        .set({ [NOTICE_COLUMNS[notice]]: false })
        .where('id', '=', userId)
        .execute()
    },
  }
}

export type UserNotices = ReturnType<typeof createUserNotices>
