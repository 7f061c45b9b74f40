import { EventEmitter, once } from 'node:events'
import type { Attendance } from './attendance.ts'
import type { ConnectedPage } from './connected-page.ts'

/** A participant's speech: mono, 16-bit. */
export type SpokenSound = { samples: Int16Array; sampleRate: number }

/** Lets participants speak, with sound that each page in the call plays at real speed. */
export function createSpeaking(attendance: Attendance, signal: AbortSignal) {
  const played = new EventEmitter()
  played.setMaxListeners(0)
  let sounds = 0

  return {
    /** Resolves when every page that was in the call has played the sound. */
    async speak(id: string, { samples, sampleRate }: SpokenSound): Promise<void> {
      const speaker = attendance.participantById(id)
      const soundId = `sound-${++sounds}`
      const { buffer, byteOffset, byteLength } = samples
      const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
      const pages = attendance.pagesInCall()
      const ends = pages.map((page) => once(played, `${page.id} ${soundId}`, { signal }))
      for (const page of pages) page.send({ kind: 'sound', soundId, speaker, sampleRate, base64 })
      await Promise.all(ends)
    },
    soundPlayed(page: ConnectedPage, soundId: string): void {
      played.emit(`${page.id} ${soundId}`)
    },
    /** Ends the audio tracks of the pages in the call, or gives them new ones. */
    setTracksLost(areLost: boolean): void {
      for (const page of attendance.pagesInCall()) page.send({ kind: 'tracks', areLost })
    },
  }
}
