import {
  parseRehearsal,
  readRehearsal,
  type Rehearsal,
} from '../../../stage/rehearsals/rehearsal.ts'
import { readKnobs, type KnobSettings } from '../../../stage/meeting/knobs.ts'
import { OperatorError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import {
  REHEARSAL_PLATFORM_CLI_NAMES,
  requireRehearsalPlatform,
  type RehearsalPlatformCliName,
} from './rehearsal-platforms.ts'

export type RehearsalCase = Rehearsal & {
  /** What the case shows when it passes. */
  about: string
  /** The source that must deliver the captions; null accepts both. */
  source: Source | null
}

/** The script of the short meeting: two participants, three sentences, and the bot leaves at the end. */
const SHORT_SCRIPT = {
  about: 'A short meeting in which everything happens once',
  people: [
    { id: 'ana', name: 'Ana Ribeiro', isHost: true },
    { id: 'ben', name: 'Ben Carter' },
  ],
  steps: [
    { at: 0.5, do: 'lobby' },
    { at: 2, do: 'admitted' },
    { at: 2, do: 'join', who: ['ana', 'ben'] },
    { at: 4, do: 'say', captionId: 'one', speaker: 'ana', text: 'Good morning, shall we begin?' },
    { at: 8, do: 'say', captionId: 'two', speaker: 'ben', text: 'Yes, the numbers are ready.' },
    { at: 12, do: 'say', captionId: 'three', speaker: 'ana', text: 'Then we are done for today.' },
  ],
}

/** One case for each source of captions. The case for the page has no captions on the wire. */
const SOURCES = {
  wire: {},
  page: { wires: [] },
} as const satisfies Record<string, KnobSettings>
type Source = keyof typeof SOURCES

const KNOBS = { waitsForCaptions: true, speed: 3 } satisfies KnobSettings
/** Stage scripts have the pace of real meetings, which is too slow for a rehearsal, so they play at least this fast. */
const MIN_SPEED = 10

/** The cases of a platform: the short meeting once for each source of captions, or the named script. */
export async function loadRehearsalCases(
  platform: RehearsalPlatformCliName,
  script: string | undefined,
): Promise<RehearsalCase[]> {
  if (script !== undefined) return [await loadNamedCase(platform, script)]
  return (Object.keys(SOURCES) as Source[]).map((source) => {
    const [address, knobs] = [
      requireRehearsalPlatform(platform).links[source],
      { ...KNOBS, ...SOURCES[source] },
    ]
    return {
      ...parseRehearsal({ about: SHORT_SCRIPT.about, address, script: SHORT_SCRIPT, knobs }),
      source,
    }
  })
}

async function loadNamedCase(
  platform: RehearsalPlatformCliName,
  script: string,
): Promise<RehearsalCase> {
  const name = script.startsWith(`${platform}-`) ? script : `${platform}-${script}`
  const rehearsal = await readNamedRehearsal(name)
  const speed = Math.max(MIN_SPEED, rehearsal.knobs.speed)
  const knobs = readKnobs({ ...rehearsal.knobs, speed, waitsForCaptions: true })
  return { ...rehearsal, knobs, source: null }
}

async function readNamedRehearsal(name: string) {
  const unknown = new OperatorError(
    `There is no rehearsal ${name}`,
    'The scripts are in stage/scripts/',
  )
  const prefixes = REHEARSAL_PLATFORM_CLI_NAMES.join('|')
  if (!new RegExp(`^(${prefixes})-[a-z0-9-]+$`).test(name)) throw unknown
  try {
    return await readRehearsal(name)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw unknown
    throw error
  }
}
