import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Calendar } from '../calendar.ts'
import { selectCalendars } from '../store/calendar-store.ts'

/** The first part of the key of the planning locks; the second one is the project. */
const PLANNING_LOCK = 4746

/**
 * Lets one transaction at a time plan these projects, over all nodes: calendars of one project share its rooms. Always
 * taken before the rows of calendars, and in the order of the names.
 */
export async function acquirePlanningLock(tx: Tx, projects: readonly string[]): Promise<void> {
  for (const project of [...new Set(projects)].toSorted())
    await sql`select pg_advisory_xact_lock(${PLANNING_LOCK}::int, hashtext(${project}))`.execute(tx)
}

/**
 * Runs a transaction that holds the planning lock of a calendar's project, and of `otherProjects`, and the row of the
 * calendar. Null when there is no such calendar.
 */
export async function planInTransaction<T>(
  db: Db,
  calendarId: string,
  work: (tx: Tx, calendar: Calendar) => Promise<T>,
  otherProjects: readonly string[] = [],
): Promise<{ value: T } | null> {
  for (;;) {
    const read = await findCalendarById(db, calendarId)
    if (read === undefined) return null
    const done = await db.transaction().execute(async (tx) => {
      await acquirePlanningLock(tx, [read.project, ...otherProjects])
      const calendar = await findCalendarById(tx, calendarId, 'lock')
      if (calendar === undefined) return null
      // It got another project before the lock was held, whose lock is needed instead.
      if (calendar.project !== read.project) return 'again'
      return { value: await work(tx, calendar) }
    })
    if (done !== 'again') return done
  }
}

function findCalendarById(db: Db, id: string, mode: 'read' | 'lock' = 'read') {
  return selectCalendars(db)
    .where('id', '=', id)
    .$if(mode === 'lock', (query) => query.forUpdate())
    .executeTakeFirst()
}
