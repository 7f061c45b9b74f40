import {
  parseRehearsal,
  readRehearsal,
  type Rehearsal,
} from '../../../stage/rehearsals/rehearsal.ts'
import { readKnobs, type KnobSettings } from '../../../stage/meeting/knobs.ts'
import { OperatorError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import {
  REHEARSAL_PLATFORMS,
  stagedPlatform,
  type RehearsalPlatform,
} from './rehearsal-platforms.ts'

export type RehearsalCase = Rehearsal & {
  /** What is proved by it. */
  about: string
  /** By which of the two ways captions must come; null: either. */
  source: Source | null
}

/** Short: two people, three sentences, and the bot leaves by itself. */
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

/** Each source of captions gets a play; that of the page has nothing on the wire. */
const SOURCES = {
  wire: {},
  page: { wires: [] },
} as const satisfies Record<string, KnobSettings>
type Source = keyof typeof SOURCES

const KNOBS = { waitsForCaptions: true, speed: 3 } satisfies KnobSettings
/** Scripts are written at the speed of life; nobody wants to wait for that. */
const MIN_SPEED = 10

/** What is put on: the short meeting by either source of captions, or the script that was named. */
export async function loadRehearsalCases(
  which: RehearsalPlatform,
  script: string | undefined,
): Promise<RehearsalCase[]> {
  if (script !== undefined) return [await loadNamedCase(which, script)]
  return (Object.keys(SOURCES) as Source[]).map((source) => {
    const [address, knobs] = [stagedPlatform(which).links[source], { ...KNOBS, ...SOURCES[source] }]
    return {
      ...parseRehearsal({ about: SHORT_SCRIPT.about, address, script: SHORT_SCRIPT, knobs }),
      source,
    }
  })
}

async function loadNamedCase(which: RehearsalPlatform, script: string): Promise<RehearsalCase> {
  const name = script.startsWith(`${which}-`) ? script : `${which}-${script}`
  const rehearsal = await readNamedRehearsal(name)
  const speed = Math.max(MIN_SPEED, rehearsal.knobs.speed)
  const knobs = readKnobs({ ...rehearsal.knobs, speed, waitsForCaptions: true })
  return { ...rehearsal, knobs, source: null }
}

async function readNamedRehearsal(name: string) {
  const unknown = new OperatorError(`There is no rehearsal ${name}`, 'stage/scripts/ holds them')
  const isKnown = REHEARSAL_PLATFORMS.some((platform) => name.startsWith(`${platform}-`))
  if (!isKnown || !/^[a-z0-9-]+$/.test(name)) throw unknown
  try {
    return await readRehearsal(name)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw unknown
    throw error
  }
}
