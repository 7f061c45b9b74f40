import { setTimeout } from 'node:timers/promises'
import type { Platform } from '../platform.ts'
import { SELF_ID } from './check.ts'
import { readScript, type ScriptName } from './library.ts'
import { play, type Sleep } from './play.ts'
import { momentsFrom } from './resume.ts'
import { timelineOf, type Moment } from './timeline.ts'
import { readPracticeUrl, recognisePractice } from './url.ts'

/** A scripted meeting without a browser: the same script gives the same sightings every time. */
export function createPracticePlatform({ sleep = wait }: { sleep?: Sleep } = {}): Platform {
  const timelines = new Map<ScriptName, Moment[]>()

  function timelineFor(name: ScriptName): Moment[] {
    const known = timelines.get(name)
    if (known) return known
    const made = timelineOf(readScript(name))
    timelines.set(name, made)
    return made
  }

  return {
    name: 'practice',
    title: 'Practice meeting',
    shapes: ['practice://standup', 'practice://<script>?speed=N'],
    recognise: recognisePractice,
    attend({ address, displayName, elapsedMs }, signal) {
      const read = readPracticeUrl(address.url)
      if (read === null) throw new Error(`${address.url} is no practice meeting`)
      const self = { id: SELF_ID, name: displayName, isSelf: true }
      const { script, speed } = read
      const fromMs = Math.max(0, elapsedMs) * speed
      const moments = momentsFrom(timelineFor(script), fromMs)
      return play({ moments, fromMs, speed, self, sleep }, signal)
    },
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
