import type { Script } from '../src/platforms/practice/script.ts'
import { createHall } from './hall.ts'
import { browserArguments } from './server/hosts.ts'
import { listen } from './server/listen.ts'
import type { Cast } from './show/company.ts'
import { readKnobs, type KnobSettings } from './show/knobs.ts'
import { play } from './show/play.ts'
import type { Cue } from './show/rehearsal.ts'
import type { Show } from './show/show.ts'

export type Stage = AsyncDisposable & {
  readonly port: number
  /** What Chromium must be started with to see the stage and nothing else. */
  readonly browserArguments: readonly string[]
  /** Opens a meeting at an address of either platform; every other meeting there does not exist. */
  open: (address: string, options?: { knobs?: KnobSettings; cast?: Cast; title?: string }) => Show
  /** The same, played by itself. `finished` resolves at its end, or when the stage closes before. */
  perform: (rehearsal: {
    address: string
    script: Script
    cues?: readonly Cue[]
    knobs?: KnobSettings
    /** Nobody is let in before. */
    admission?: Promise<unknown>
  }) => { show: Show; finished: Promise<void> }
}

/** Serves both platforms under their true host names on one port of this machine. */
export async function openStage({ port = 0 }: { port?: number } = {}): Promise<Stage> {
  const hall = createHall()
  const server = await listen(hall, port)
  return {
    port: server.port,
    browserArguments: browserArguments(server.port, server.fingerprint),
    open: (address, { knobs, cast = [], title } = {}) =>
      hall.open(address, { knobs: readKnobs(knobs), cast, title, isScripted: false }),
    perform({ address, script, cues = [], admission, ...given }) {
      const knobs = readKnobs(given.knobs)
      const opening = { knobs, cast: script.people, title: undefined, isScripted: true }
      const show = hall.open(address, opening)
      return { show, finished: play(show, { address, script, cues, knobs }, admission) }
    },
    async [Symbol.asyncDispose]() {
      hall.close()
      await server.close()
    },
  }
}
