import { sql } from 'kysely'
import type { Role } from '../accounts/roles.ts'
import type { Db } from '../db/database.ts'
import { isUnclaimed } from './brief-claims.ts'

/** A meeting that a person who wants briefs takes part in, and that starts soon. */
export type DuePersonBrief = {
  userId: string
  role: Role
  upcomingId: string
  /** Stays the same if the meeting is moved. All invitations to it share it. */
  key: string
  startsAt: Date
}

/** A person who wants a brief some minutes before each of their meetings. */
export type BriefWish = { userId: string; minutes: number }

/**
 * The meetings that people must be briefed about now: of their own calendars, or to which they are invited in another
 * one. The person's own calendar comes first. The caller checks if the person may know of the others.
 */
export async function findDuePersonBriefs(
  db: Db,
  wishes: readonly BriefWish[],
  now: Date,
  limit: number,
): Promise<DuePersonBrief[]> {
  const until = new Date(now.getTime() + Math.max(0, ...wishes.map((w) => w.minutes)) * 60_000)
  const [userIds, minutes] = [wishes.map(({ userId }) => userId), wishes.map((w) => w.minutes)]
  const { rows } = await sql<DuePersonBrief>`
    with planned as materialized (
      select o.id, md5(concat_ws(E'\n', o.uid, o.key)) as key, o.starts_at, o.organizer, o.attendees, calendar.user_id
      from occurrence o join calendar on calendar.id = o.calendar_id
      where (o.decision = 'join' or o.reason = 'same_room') and o.starts_at > ${now} and o.starts_at <= ${until}
    ), invited as (
      select planned.id, u.id as user_id, 0 as rank from planned join app_user u on u.id = planned.user_id
      union all
      select planned.id, u.id, 1 from planned cross join lateral jsonb_array_elements(planned.attendees) as person (value)
        join app_user u on u.email = person.value ->> 'address'
        where person.value ->> 'response' is distinct from 'declined'
      union all
      select planned.id, u.id, 1 from planned join app_user u on u.email = planned.organizer
    )
    select u.id as "userId", u.role, planned.id as "upcomingId", planned.key, planned.starts_at as "startsAt"
    from unnest(${userIds}::text[], ${minutes}::int[]) as wish (user_id, minutes)
      join app_user u on u.id = wish.user_id and u.deactivated_at is null
      join (select id, user_id, min(rank) as rank from invited group by id, user_id) as part on part.user_id = u.id
      join planned on planned.id = part.id
    where planned.starts_at <= ${now}::timestamptz + make_interval(mins => wish.minutes)
      and ${isUnclaimed(sql`'user:' || u.id`, sql`planned.key`, sql`planned.starts_at`)}
      and ${isUnclaimed(sql`'user:' || u.id`, sql`planned.id`, sql`planned.starts_at`)}
    order by planned.starts_at, part.rank, planned.id, u.id limit ${limit}`.execute(db)
  return rows
}
