import { tidy } from '../address/clean.ts'
import type { Address } from '../platform.ts'
import { isScriptName, type ScriptName } from './library.ts'

export const SPEEDS = { slowest: 0.1, usual: 1, fastest: 1_000 }

const ADDRESS = /^practice:\/\/([a-z-]+)\/?(?:\?speed=(\d{1,4}(?:\.\d{1,3})?))?$/

/** The script an address names and how fast it plays; null when there is no such script or speed. */
export function readPracticeUrl(given: string): { script: ScriptName; speed: number } | null {
  const parts = ADDRESS.exec(tidy(given)?.toLowerCase() ?? '')
  if (parts === null) return null
  const [, script = '', speedText] = parts
  const speed = speedText === undefined ? SPEEDS.usual : Number(speedText)
  if (!isScriptName(script) || speed < SPEEDS.slowest || speed > SPEEDS.fastest) return null
  return { script, speed }
}

export function recognisePractice(given: string): Address | null {
  const read = readPracticeUrl(given)
  if (read === null) return null
  const query = read.speed === SPEEDS.usual ? '' : `?speed=${read.speed}`
  const url = `practice://${read.script}${query}`
  return { url, room: url, label: `Practice ${read.script}` }
}
