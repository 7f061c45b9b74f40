import type { OpenDatabase } from '../../src/db/open.ts'
import { createLog } from '../../src/log.ts'
import { attendMeeting, type Outcome } from '../../src/meetings/bot.ts'
import { createLedger } from '../../src/meetings/ledger.ts'
import { readPast } from '../../src/meetings/past.ts'
import { findMeeting } from '../../src/meetings/store.ts'
import { createMeetingWriter } from '../../src/meetings/writer.ts'
import type { Platform, Sighting } from '../../src/platforms/platform.ts'
import { manualClock } from './clock.ts'
import { eventually } from './eventually.ts'
import { AT, OPTIONS, seedMeeting, storedOf } from './meeting-seed.ts'

/** What a meeting is made of: it goes on when the bot has written what it saw. */
export type Stage = {
  /** Until so many events of the meeting are stored. */
  written(count: number): Promise<void>
  /** The bot's clock moves on. */
  pass(seconds: number): void
}

/** A meeting in a real database that one bot after the other attends, without a runner or a service. */
export async function openMeeting({ db, pool }: OpenDatabase) {
  const clock = manualClock(AT.toISOString())
  const id = await seedMeeting(db, { status: 'joining' })
  const stored = async () => {
    const meeting = await findMeeting(db, id)
    if (meeting === null) throw new Error('there is no meeting')
    return meeting
  }
  return {
    id,
    stored,
    async attend(play: (stage: Stage) => AsyncIterable<Sighting>): Promise<Outcome> {
      const writer = createMeetingWriter({
        db,
        ledger: createLedger(pool),
        hold: { meetingId: id, fence: 1 },
        stored: await storedOf(db, id),
        onWritten: () => undefined,
      })
      const stage: Stage = {
        async written(count) {
          await eventually(() => (writer.lastSequence() >= count ? true : null))
        },
        pass: clock.pass,
      }
      const address = { url: 'practice://standup', room: 'r', label: 'l' }
      const platform: Platform = {
        name: 'practice',
        title: 'Practice',
        shapes: [],
        recognise: () => address,
        attend: () => play(stage),
      }
      const never = new AbortController().signal
      return attendMeeting(
        {
          platform,
          visit: { address, displayName: 'Hansard', language: null, account: null, elapsedMs: 0 },
          rules: OPTIONS.leave,
          writer,
          notes: { keep: () => Promise.resolve() },
          document: null,
          coach: null,
          modelCoach: null,
          screen: { show: () => undefined, clear: () => undefined },
          past: await readPast(db, await stored()),
          now: clock.now,
          log: createLog('silent'),
        },
        never,
        never,
      )
    },
  }
}
