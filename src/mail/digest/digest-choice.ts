import type { Actor } from '../../accounts/audit.ts'
import type { Db } from '../../db/database.ts'
import { changeMailChoice, readMailChoice, type MailChoiceRow } from '../mail-choices.ts'
import type { DigestFrequency, Weekday } from './choice-names.ts'
import { findNextDigestTime, type DigestSchedule } from './digest-schedule.ts'

/** When a person wants a digest by mail. */
export type DigestChoice = {
  frequency: DigestFrequency
  weekday: Weekday
  hour: number
  /** The IANA name. Null if the person has not chosen one yet. */
  timeZone: string | null
}

export async function readDigestChoice(db: Db, userId: string): Promise<DigestChoice> {
  return toDigestChoice(await readMailChoice(db, userId))
}

export function toDigestChoice(row: Omit<MailChoiceRow, 'user_id'>): DigestChoice {
  const { digest, digest_weekday: weekday, digest_hour: hour, time_zone: timeZone } = row
  return { frequency: digest, weekday, hour, timeZone }
}

/** The schedule of the digest mail. Null if the person wants none. */
export function toMailSchedule({
  frequency,
  timeZone,
  ...rest
}: DigestChoice): DigestSchedule | null {
  return frequency === 'none' || timeZone === null ? null : { ...rest, frequency, timeZone }
}

/** The schedule of the feed: the one of the mail, and daily without one. */
export function toFeedSchedule(choice: DigestChoice): DigestSchedule {
  const { frequency, timeZone, ...rest } = choice
  return {
    ...rest,
    frequency: frequency === 'weekly' ? 'weekly' : 'daily',
    timeZone: timeZone ?? 'UTC',
  }
}

/** Stores when a person wants a digest. Absent fields stay unchanged. False if there is no such user. */
export function changeDigestChoice(
  db: Db,
  userId: string,
  change: Partial<DigestChoice>,
  { actor, now }: { actor: Actor; now: Date },
): Promise<boolean> {
  const apply = (current: MailChoiceRow) => {
    const choice = { ...toDigestChoice(current), ...change }
    const schedule = toMailSchedule(choice)
    return {
      digest: choice.frequency,
      digest_weekday: choice.weekday,
      digest_hour: choice.hour,
      time_zone: choice.timeZone,
      digest_due_at: schedule && findNextDigestTime(schedule, now),
    }
  }
  const detail = `digest ${change.frequency ?? 'time zone'}`
  return changeMailChoice(db, userId, apply, { actor, now, detail })
}
