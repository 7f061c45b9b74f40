import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform, PlatformEvent } from '../../src/bots/platforms/platform.ts'

const WORDS =
  'the plan for this week is to finish the draft and send it to everybody before the review so that we know what is left'.split(
    ' ',
  )
const SPEAKERS = ['Ana Lima', 'Ben Okoro', 'Chloe Park', 'Dai Nguyen']

export type SpeechOptions = {
  updatesPerSecond: number
  finalsPerSecond: number
  /** Called for each update, just before the pipeline receives it. */
  onUpdate?(): void
  /** No one speaks while this is pending. */
  pause?(): Promise<void>
}

/**
 * A platform with endless speech: turns of changing speakers that grow word by word. Every second meeting emits
 * captions like a wire (versions, a final mark), the others like a page (rows that grow until the speaker changes).
 */
export function createSpeechPlatform({
  updatesPerSecond,
  finalsPerSecond,
  onUpdate,
  pause,
}: SpeechOptions): Platform {
  const updatesPerTurn = Math.round(updatesPerSecond / finalsPerSecond)
  const pauseMs = 1000 / updatesPerSecond
  let count = 0
  return {
    name: 'practice',
    title: 'Generated speech',
    linkExamples: [],
    parseLink: (url) =>
      url.startsWith('practice://generated-') ? { url, room: url, label: 'Generated' } : null,
    async *attend(_visit, signal): AsyncGenerator<PlatformEvent> {
      count += 1
      const isWire = count % 2 === 0
      yield { kind: 'admitted' }
      const people = SPEAKERS.map((name, i) => ({ id: String(i), name }))
      yield { kind: 'people', people }
      let startedAt = performance.now() + Math.random() * pauseMs
      // The meetings do not start and continue at the same moments.
      const first = Math.floor(Math.random() * updatesPerTurn)
      for (let update = first; !signal.aborted; update += 1) {
        const silentAt = performance.now()
        await pause?.()
        const silentMs = performance.now() - silentAt
        if (silentMs > pauseMs) startedAt += silentMs + Math.random() * pauseMs
        const waitMs = startedAt + (update - first) * pauseMs - performance.now()
        if (waitMs > 1) await sleep(waitMs)
        // A delay of the reader does not make later speech faster.
        else if (waitMs < -pauseMs) startedAt -= waitMs
        onUpdate?.()
        yield { kind: 'caption', ...captionAt(update, updatesPerTurn, isWire) }
      }
    },
  }
}

function captionAt(update: number, updatesPerTurn: number, isWire: boolean) {
  const turn = Math.floor(update / updatesPerTurn)
  const step = update % updatesPerTurn
  const words = Array.from({ length: 3 + step * 2 }, (_, i) => WORDS[(turn * 7 + i) % WORDS.length])
  const isFinal = step === updatesPerTurn - 1
  const text = `In turn ${turn}, said at ${Date.now()}, ${words.join(' ')}${isFinal ? '.' : ''}`
  const speaker = SPEAKERS[turn % SPEAKERS.length] ?? ''
  return {
    captionId: `turn-${turn}`,
    speaker,
    text,
    ...(isWire && { version: step + 1, isFinal }),
  }
}

/** A platform that, once released, emits `finals` final captions as fast as they are stored. */
export function createBurstPlatform(finals: number): { platform: Platform; release(): void } {
  let go = Promise.withResolvers<void>()
  const platform: Platform = {
    name: 'practice',
    title: 'Torrent',
    linkExamples: [],
    parseLink: (url) =>
      url.startsWith('practice://burst-') ? { url, room: url, label: 'Torrent' } : null,
    async *attend(_visit, signal): AsyncGenerator<PlatformEvent> {
      // The release may come before the bot asks for what follows its admission.
      const released = go.promise
      yield { kind: 'admitted' }
      await released
      for (let turn = 0; turn < finals; turn += 1) {
        const text = `Turn ${turn} is about as long as what people say at a time, sometimes longer.`
        const speaker = SPEAKERS[turn % SPEAKERS.length] ?? ''
        const captionId = `turn-${turn}`
        yield { kind: 'caption', captionId, speaker, text, version: 1, isFinal: true }
      }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
  }
  return {
    platform,
    release() {
      go.resolve()
      go = Promise.withResolvers()
    },
  }
}
