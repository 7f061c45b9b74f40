import type { Platform, PlatformEvent } from '../../../src/bots/platforms/platform.ts'
import type { DatabaseHandle } from '../../../src/db/database.ts'
import { loadWordRanker } from '../../../src/language/known-names/ordinary-words.ts'
import type { KnownNames } from '../../../src/language/known-names/name-candidates.ts'
import { createLog } from '../../../src/log.ts'
import type { BotOutcome } from '../../../src/meetings/attending/bot/bot-event-loop.ts'
import { runBot } from '../../../src/meetings/attending/bot/bot.ts'
import { readResumeState } from '../../../src/meetings/attending/resume-state.ts'
import { createMeetingBatchWriter } from '../../../src/meetings/record/batch-writer.ts'
import { createSpeechCorrector } from '../../../src/meetings/captions/corrected-speech.ts'
import { readGaps } from '../../../src/meetings/record/gaps.ts'
import { findMeeting } from '../../../src/meetings/record/meeting-store.ts'
import { createMeetingWriter } from '../../../src/meetings/record/meeting-writer.ts'
import { eventually } from '../time/eventually.ts'
import { createManualClock } from '../time/manual-clock.ts'
import { SEED_TIME, MEETING_OPTIONS, seedMeeting, readStoredCounters } from './seed-meeting.ts'

const NO_NAMES: KnownNames = { people: [], terms: [] }

/** What a scripted meeting can wait for between its events. */
export type ScriptControls = {
  /** Waits until this number of events is stored. */
  waitForStoredEvents(count: number): Promise<void>
  advanceClock(seconds: number): void
}

/** A meeting in a real database, attended by one bot at a time, without a runner or a service. */
export async function openTestMeeting({ db, pool }: DatabaseHandle, knownNames = NO_NAMES) {
  const clock = createManualClock(SEED_TIME.toISOString())
  const id = await seedMeeting(db, { status: 'joining' })
  const stored = async () => {
    const meeting = await findMeeting(db, id)
    if (meeting === null) throw new Error('the meeting does not exist')
    return meeting
  }
  return {
    id,
    stored,
    async attend(
      play: (stage: ScriptControls) => AsyncIterable<PlatformEvent>,
    ): Promise<BotOutcome> {
      const writer = createMeetingWriter({
        db,
        ledger: createMeetingBatchWriter(pool),
        lease: { meetingId: id, fence: 1 },
        counters: await readStoredCounters(db, id),
        gaps: await readGaps(db, id),
        onWritten: () => undefined,
      })
      const stage: ScriptControls = {
        async waitForStoredEvents(count) {
          await eventually(() => (writer.lastSequence() >= count ? true : null))
        },
        advanceClock: clock.advance,
      }
      const address = { url: 'practice://standup', room: 'r', label: 'l' }
      const platform: Platform = {
        name: 'practice',
        title: 'Practice',
        linkExamples: [],
        parseLink: () => address,
        attend: () => play(stage),
      }
      const never = new AbortController().signal
      return runBot(
        {
          platform,
          joinRequest: {
            link: address,
            displayName: 'Hansard',
            language: null,
            account: null,
            elapsedMs: 0,
            wasAdmittedBefore: false,
          },
          leaveRules: MEETING_OPTIONS.leave,
          joinTimeout: 120,
          writer,
          diagnostics: { record: () => Promise.resolve() },
          document: null,
          coach: null,
          modelCoach: null,
          partialPublisher: {
            publish: () => undefined,
            discard: () => undefined,
            [Symbol.dispose]: () => undefined,
          },
          resumeState: await readResumeState(db, await stored()),
          speechCorrector: createSpeechCorrector(
            { known: knownNames, rankWord: await loadWordRanker() },
            null,
          ),
          now: clock.now,
          log: createLog('silent'),
        },
        never,
        never,
      )
    },
  }
}
