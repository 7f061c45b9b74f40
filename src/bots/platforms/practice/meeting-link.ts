import { trimPastedLink } from '../links.ts'
import type { MeetingLink } from '../platform.ts'
import { isScriptName, type ScriptName } from './script-reading/script-library.ts'

export const PRACTICE_SPEED_LIMITS = { slowest: 0.1, usual: 1, fastest: 1_000 }

const ADDRESS = /^practice:\/\/([a-z-]+)\/?(?:\?speed=(\d{1,4}(?:\.\d{1,3})?))?$/

/** The script and the speed that a practice link names; null if there is no such script or speed. */
export function parsePracticeScriptAndSpeed(
  given: string,
): { script: ScriptName; speed: number } | null {
  const parts = ADDRESS.exec(trimPastedLink(given)?.toLowerCase() ?? '')
  if (parts === null) return null
  const [, script = '', speedText] = parts
  const speed = speedText === undefined ? PRACTICE_SPEED_LIMITS.usual : Number(speedText)
  if (
    !isScriptName(script) ||
    speed < PRACTICE_SPEED_LIMITS.slowest ||
    speed > PRACTICE_SPEED_LIMITS.fastest
  )
    return null
  return { script, speed }
}

export function parsePracticeLink(given: string): MeetingLink | null {
  const read = parsePracticeScriptAndSpeed(given)
  if (read === null) return null
  const query = read.speed === PRACTICE_SPEED_LIMITS.usual ? '' : `?speed=${read.speed}`
  const url = `practice://${read.script}${query}`
  return { url, room: url, label: `Practice ${read.script}` }
}
