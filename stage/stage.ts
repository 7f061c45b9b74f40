import type { MeetingScript } from '../src/bots/platforms/practice/script-reading/script-schema.ts'
import { readFileSync } from 'node:fs'
import { createMeetingRegistry } from './meeting-registry.ts'
import { browserArguments } from './server/hosts.ts'
import { startStageServer } from './server/start-server.ts'
import type { Cast } from './meeting/attendance.ts'
import { readKnobs, type KnobSettings } from './meeting/knobs.ts'
import { playRehearsal } from './rehearsals/play-script.ts'
import type { Cue } from './rehearsals/rehearsal.ts'
import type { StagedMeeting } from './meeting/staged-meeting.ts'

const INIT_SCRIPT = readFileSync(
  new URL('pages/common/sound/contributing-sources.script.js', import.meta.url),
  'utf8',
)

export type Stage = AsyncDisposable & {
  readonly port: number
  /** Arguments for Chromium, so that it reaches the stage and no other host. */
  readonly browserArguments: readonly string[]
  /** A script for the knob `hasSound`. A page must run it before all others, so that sound has contributing sources. */
  readonly initScript: string
  /** Opens a meeting at an address of either platform. The pages of other addresses say that no meeting exists. */
  open: (
    address: string,
    options?: { knobs?: KnobSettings; cast?: Cast; title?: string },
  ) => StagedMeeting
  /** Opens a meeting and plays a script in it. `finished` resolves at its end, or when the stage closes. */
  perform: (rehearsal: {
    address: string
    script: MeetingScript
    cues?: readonly Cue[]
    knobs?: KnobSettings
    /** Until this resolves, no page is admitted. */
    admission?: Promise<unknown>
  }) => { meeting: StagedMeeting; finished: Promise<void> }
}

/** Serves both platforms under their real host names on one local port. */
export async function openStage({ port = 0 }: { port?: number } = {}): Promise<Stage> {
  const meetings = createMeetingRegistry()
  const server = await startStageServer(meetings, port)
  return {
    port: server.port,
    browserArguments: browserArguments(server.port, server.fingerprint),
    initScript: INIT_SCRIPT,
    open: (address, { knobs, cast = [], title } = {}) =>
      meetings.open(address, { knobs: readKnobs(knobs), cast, title, isScripted: false }),
    perform({ address, script, cues = [], admission, ...given }) {
      const knobs = readKnobs(given.knobs)
      const setup = { knobs, cast: script.people, title: undefined, isScripted: true }
      const meeting = meetings.open(address, setup)
      return {
        meeting,
        finished: playRehearsal(meeting, { address, script, cues, knobs }, admission),
      }
    },
    async [Symbol.asyncDispose]() {
      meetings.close()
      await server.close()
    },
  }
}
