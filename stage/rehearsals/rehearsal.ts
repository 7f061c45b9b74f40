import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { z } from 'zod'
import {
  readScript,
  SCRIPT_NAMES,
} from '../../src/bots/platforms/practice/script-reading/script-library.ts'
import { parseScript } from '../../src/bots/platforms/practice/script-reading/script.ts'
import type { MeetingScript } from '../../src/bots/platforms/practice/script-reading/script-schema.ts'
import { readKnobs, type Knobs } from '../meeting/knobs.ts'

const FOLDER = join(import.meta.dirname, '../scripts')
/** The folder of each platform in `scripts/`, by the prefix of its rehearsals' names. */
const FOLDERS = { meet: 'google-meet', teams: 'microsoft-teams' } as const

/** Steps that a practice script cannot contain, because a bot has no event for them. */
const CUE = z.discriminatedUnion('do', [
  z.strictObject({
    at: z.number().min(0),
    do: z.literal('chat'),
    speaker: z.string(),
    text: z.string(),
  }),
  z.strictObject({ at: z.number().min(0), do: z.enum(['connection lost', 'connection back']) }),
])
export type Cue = z.output<typeof CUE>

const REHEARSAL = z.strictObject({
  about: z.string().min(1),
  address: z.url(),
  /** The name of a practice script, or a complete script. */
  script: z.union([z.enum(SCRIPT_NAMES), z.looseObject({})]),
  cues: z.array(CUE).default([]),
  knobs: z.looseObject({}).default({}),
})

/** A staged meeting as data: its address, its script, and the behaviour of its pages. */
export type Rehearsal = {
  address: string
  script: MeetingScript
  cues: readonly Cue[]
  knobs: Knobs
}

/** Throws an error that lists every mistake. */
export function parseRehearsal(raw: unknown): Rehearsal & { about: string } {
  const { data, error } = REHEARSAL.safeParse(raw)
  if (error) throw new Error(z.prettifyError(error))
  const script =
    typeof data.script === 'string' ? readScript(data.script) : parseScript(data.script)
  const cast = new Set(script.people.map(({ id }) => id))
  const unknownSpeaker = data.cues.find((cue) => cue.do === 'chat' && !cast.has(cue.speaker))
  if (unknownSpeaker)
    throw new Error(`a cue at ${unknownSpeaker.at} has a speaker who is not in the script`)
  return { ...data, script, knobs: readKnobs(data.knobs) }
}

/** The names of all rehearsals in `stage/scripts/`. `meet-plain` is `google-meet/plain.json`. */
export function listRehearsals(): string[] {
  return Object.entries(FOLDERS).flatMap(([prefix, folder]) =>
    globSync('*.json', { cwd: join(FOLDER, folder) }).map(
      (file) => `${prefix}-${parse(file).name}`,
    ),
  )
}

/** Reads a rehearsal by a name that `listRehearsals` returns. */
export async function readRehearsal(name: string): Promise<Rehearsal & { about: string }> {
  const [, prefix, script] = /^(meet|teams)-([a-z0-9-]+)$/.exec(name) ?? []
  if (prefix === undefined) throw new Error(`there is no rehearsal named ${name}`)
  const file = join(FOLDER, FOLDERS[prefix as keyof typeof FOLDERS], `${script}.json`)
  return parseRehearsal(JSON.parse(await readFile(file, 'utf8')))
}
