import type { MeetingScript } from '../src/bots/platforms/practice/script-schema.ts'
import { createMeetingRegistry } from './meeting-registry.ts'
import { browserArguments } from './server/hosts.ts'
import { startStageServer } from './server/start-server.ts'
import type { Cast } from './meeting/attendance.ts'
import { readKnobs, type KnobSettings } from './meeting/knobs.ts'
import { playRehearsal } from './rehearsals/play-script.ts'
import type { Cue } from './rehearsals/rehearsal.ts'
import type { StagedMeeting } from './meeting/staged-meeting.ts'

export type Stage = AsyncDisposable & {
  readonly port: number
  /** What Chromium must be started with to see the stage and nothing else. */
  readonly browserArguments: readonly string[]
  /** Opens a meeting at an address of either platform; every other meeting there does not exist. */
  open: (
    address: string,
    options?: { knobs?: KnobSettings; cast?: Cast; title?: string },
  ) => StagedMeeting
  /** The same, played by itself. `finished` resolves at its end, or when the stage closes before. */
  perform: (rehearsal: {
    address: string
    script: MeetingScript
    cues?: readonly Cue[]
    knobs?: KnobSettings
    /** Nobody is let in before. */
    admission?: Promise<unknown>
  }) => { show: StagedMeeting; finished: Promise<void> }
}

/** Serves both platforms under their true host names on one port of this machine. */
export async function openStage({ port = 0 }: { port?: number } = {}): Promise<Stage> {
  const hall = createMeetingRegistry()
  const server = await startStageServer(hall, port)
  return {
    port: server.port,
    browserArguments: browserArguments(server.port, server.fingerprint),
    open: (address, { knobs, cast = [], title } = {}) =>
      hall.open(address, { knobs: readKnobs(knobs), cast, title, isScripted: false }),
    perform({ address, script, cues = [], admission, ...given }) {
      const knobs = readKnobs(given.knobs)
      const opening = { knobs, cast: script.people, title: undefined, isScripted: true }
      const show = hall.open(address, opening)
      return { show, finished: playRehearsal(show, { address, script, cues, knobs }, admission) }
    },
    async [Symbol.asyncDispose]() {
      hall.close()
      await server.close()
    },
  }
}
