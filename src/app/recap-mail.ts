import { readInvited } from '../calendars/invitations.ts'
import type { Config } from '../config/config.ts'
import { hasMailServer } from '../config/mail-settings.ts'
import { isOfficialTranscript } from '../connections/transcript-store.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import { enqueueRecapMail } from '../mail/recap-mail/enqueue-recap-mail.ts'
import type { MeetingOrigin, RecapAudience } from '../mail/recap-mail/recipients.ts'
import type { RecapMailSource } from '../mail/recap-mail/recap-composer.ts'
import { findShownTitle, type Meeting } from '../meetings/meeting.ts'
import { findMeeting } from '../meetings/record/meeting-store.ts'
import { readParticipantNames, readSegmentStarts } from '../meetings/transcript/read-transcript.ts'
import { calculateSegmentOffsetMs, formatMeetingOffset } from '../meetings/transcript/source.ts'
import type { MeetingRecap, Recaps } from '../recap/recaps.ts'
import { readProjectTemplate } from '../recap/store/project-templates.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'

/** Reads what decides who gets the recap of a meeting. It is null if the meeting was removed. */
export function createAudienceReader({ sharing }: Pick<Config, 'sharing'>) {
  return async (db: Db, meetingId: string): Promise<RecapAudience | null> => {
    const meeting = await findMeeting(db, meetingId)
    if (meeting === null) return null
    const { project, endedAt } = meeting
    const settings = await readProjectTemplate(db, project)
    const { mailRecipients: recipients, guestSharer: sharer, guestLinkDays: linkDays } = settings
    const { addresses, people } = await readInvited(db, meetingId)
    const mailsGuests = sharing && recipients !== 'nobody' && sharer !== null
    return {
      project,
      recipients,
      invitedAddresses: addresses,
      participantNames: await readParticipantNames(db, meetingId),
      endedAt,
      origin: await findOrigin(db, meeting),
      guests: mailsGuests ? { addresses: people, linkDays, sharer } : null,
    }
  }
}

async function findOrigin(db: Db, { id, importedAt }: Meeting): Promise<MeetingOrigin> {
  if (importedAt === null) return 'attended'
  return (await isOfficialTranscript(db, id)) ? 'connection' : 'upload'
}

type MailerParts = { config: Config; clock: Clock; storage: Pick<MigratedStorage, 'secretBox'> }

/** Stores the mail with a recap in the transaction that stores the recap. Does nothing if there is no mail server. */
export function createRecapMailer({ config, clock, storage: { secretBox } }: MailerParts) {
  const readAudience = createAudienceReader(config)
  return async (tx: Tx, meetingId: string): Promise<void> => {
    const audience = hasMailServer(config) ? await readAudience(tx, meetingId) : null
    if (audience === null) return
    await enqueueRecapMail(tx, meetingId, audience, { secretBox, now: clock.now() })
  }
}

type ReaderParts = { db: Db; recaps: Pick<Recaps, 'get'>; timeZone: string }

/** Reads a recap for its mail. */
export function createRecapReader({
  db,
  recaps,
  timeZone,
}: ReaderParts): RecapMailSource['readRecap'] {
  return async (meetingId) => {
    const meeting = await findMeeting(db, meetingId)
    const recap = await findRecap(recaps, meetingId)
    if (meeting === null || recap === null) return null
    const { startedAt } = meeting
    const { summary, decisions, actions, openQuestions } = recap
    const entries = [...summary, ...decisions, ...actions, ...openQuestions]
    const cited = new Set(entries.flatMap(({ segmentNumbers }) => segmentNumbers))
    const starts = await readSegmentStarts(db, meetingId, [...cited])
    const times = [...starts].map(([number, at]): [number, string] => [
      number,
      formatMeetingOffset(calculateSegmentOffsetMs({ startedAt: at }, startedAt)),
    ])
    return {
      meetingId,
      title: findShownTitle(meeting),
      startedAt,
      timeZone,
      recap,
      times: new Map(times),
    }
  }
}

async function findRecap(
  recaps: Pick<Recaps, 'get'>,
  meetingId: string,
): Promise<MeetingRecap | null> {
  try {
    return await recaps.get(meetingId)
  } catch (error) {
    const codes = ['meeting_not_found', 'recap_not_ready']
    if (error instanceof ServiceError && codes.includes(error.code)) return null
    throw error
  }
}
