import type { Role } from '../../accounts/roles.ts'
import type { Db } from '../../db/database.ts'
import { collectDigest, hasNews } from '../../recap/digest/collect-digest.ts'
import {
  listDigestSections,
  type DigestItem,
  type DigestSection,
} from '../../recap/digest/digest-sections.ts'
import { addDays, type DigestPeriod, type DigestSchedule } from './digest-schedule.ts'

/** A digest for one person, as its mail and its feed show it. */
export type PersonDigest = {
  schedule: DigestSchedule
  period: DigestPeriod
  /** What it contains, such as `3 meetings, 1 decision`. It names no meeting, because subjects can be seen by others. */
  counts: string
  sections: DigestSection[]
}

/** Action items that are overdue for longer are left out. */
const MAX_OVERDUE_DAYS = 30

/** Collects a digest from what the person may read now. Null if there is nothing to say. */
export async function readPersonDigest(
  db: Db,
  user: { id: string; role: Role },
  schedule: DigestSchedule,
  period: DigestPeriod,
): Promise<PersonDigest | null> {
  const { day, from, to } = period
  const viewer = { kind: 'user', userId: user.id, role: user.role, projects: null } as const
  const digest = await collectDigest(db, viewer, {
    meetings: { from, to },
    due: {
      from: addDays(day, -MAX_OVERDUE_DAYS),
      to: addDays(day, schedule.frequency === 'weekly' ? 7 : 1),
    },
    ownerId: user.id,
  })
  if (!hasNews(digest, day)) return null
  const counts = [
    countText(digest.meetings.length, 'meeting'),
    countText(digest.decisions.length, 'decision'),
    countText(digest.ownActions.length, 'action item', ' for you'),
  ]
  return {
    schedule,
    period,
    counts: counts.flat().join(', '),
    sections: listDigestSections(digest, { day, timeZone: schedule.timeZone }),
  }
}

function countText(count: number, noun: string, after = ''): string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}${after}`]
}

/** Where an item can be read in the console. */
export function linkOfItem({ meetingId, line }: DigestItem, publicUrl: string): string {
  const url = `${publicUrl}/meetings/${encodeURIComponent(meetingId)}`
  return line === null ? url : `${url}#line-${line}`
}

/** When the period began and ended, for people. */
export function formatPeriod({ period, schedule: { timeZone } }: PersonDigest): string {
  const format = (at: Date) =>
    at.toLocaleString('en-GB', {
      timeZone,
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      hour: '2-digit',
      minute: '2-digit',
    })
  return `${format(period.from)} to ${format(period.to)} (${timeZone})`
}
