import { sleepUnlessAborted } from '../../../lib/async/abort.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { JoinTime, MeetingLink, Platform, PlatformEvent } from '../platform.ts'
import { parsePracticeScriptAndSpeed, parsePracticeLink } from './meeting-link.ts'
import { readScript, type ScriptName } from './script-reading/script-library.ts'
import { BOT_PARTICIPANT_ID } from './script-reading/script.ts'
import {
  playTimeline,
  type AbortableSleep,
  buildLateJoinTimeline,
  buildTimeline,
  type TimelineEntry,
} from './timeline.ts'

const { title, linkExamples } = PLATFORM_INFO.practice

/** A scripted meeting without a browser: the same script always gives the same events. */
export function createPracticePlatform({
  sleep = sleepUnlessAborted,
}: { sleep?: AbortableSleep } = {}): Platform {
  const timelines = new Map<ScriptName, TimelineEntry[]>()

  function timelineFor(name: ScriptName): TimelineEntry[] {
    const known = timelines.get(name)
    if (known) return known
    const made = buildTimeline(readScript(name))
    timelines.set(name, made)
    return made
  }

  return {
    name: 'practice',
    title,
    linkExamples,
    parseLink: parsePracticeLink,
    speedOf: (link) => requireScriptAndSpeed(link).speed,
    attend({ link, displayName, elapsedMs, joinTime }, signal) {
      const { script, speed } = requireScriptAndSpeed(link)
      const self = { id: BOT_PARTICIPANT_ID, name: displayName, isSelf: true }
      const fromMs = Math.max(0, elapsedMs) * speed
      const remaining = buildLateJoinTimeline(timelineFor(script), fromMs)
      const events = playTimeline({ timeline: remaining, fromMs, speed, self, sleep }, signal)
      return joinTime === undefined ? events : playFrom(joinTime, events, signal)
    },
  }
}

async function* playFrom(
  joinTime: JoinTime,
  events: AsyncGenerator<PlatformEvent, void, undefined>,
  signal: AbortSignal,
): AsyncGenerator<PlatformEvent, void, undefined> {
  await joinTime.wait(signal)
  yield* events
}

function requireScriptAndSpeed({ url }: MeetingLink): { script: ScriptName; speed: number } {
  const parsed = parsePracticeScriptAndSpeed(url)
  if (parsed === null) throw new Error(`${url} is not a practice meeting`)
  return parsed
}
