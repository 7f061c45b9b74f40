import { parseScript } from './script.ts'
import type { MeetingScript } from './script-schema.ts'
import captionsLost from '../scripts/captions-lost.json' with { type: 'json' }
import denied from '../scripts/denied.json' with { type: 'json' }
import everyoneLeaves from '../scripts/everyone-leaves.json' with { type: 'json' }
import hostEnds from '../scripts/host-ends.json' with { type: 'json' }
import lobbyTimeout from '../scripts/lobby-timeout.json' with { type: 'json' }
import long from '../scripts/long.json' with { type: 'json' }
import removed from '../scripts/removed.json' with { type: 'json' }
import standup from '../scripts/standup.json' with { type: 'json' }

const FILES = {
  standup,
  denied,
  'lobby-timeout': lobbyTimeout,
  removed,
  'host-ends': hostEnds,
  'captions-lost': captionsLost,
  'everyone-leaves': everyoneLeaves,
  long,
} as const satisfies Record<string, unknown>

export type ScriptName = keyof typeof FILES

export const SCRIPT_NAMES = Object.keys(FILES) as ScriptName[]

export function isScriptName(name: string): name is ScriptName {
  return Object.hasOwn(FILES, name)
}

export function readScript(name: ScriptName): MeetingScript {
  return parseScript(FILES[name])
}
