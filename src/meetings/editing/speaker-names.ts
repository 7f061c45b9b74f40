import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { cleanParticipantName } from '../../language/person-names.ts'
import { toSearchVector } from '../../projects/search/words/search-vector.ts'
import { updateMeeting } from '../record/meeting-store.ts'
import { formatDisplaySpeaker } from '../transcript/source.ts'

/**
 * The stored names that people gave to the speakers of a meeting, by the name that the platform shows. `words` is the
 * name's search vector, so that SQL can index a segment under it.
 */
export type StoredSpeakerNames = Record<string, { name: string; words: string }>

/** The same names without their search vectors. */
export type SpeakerNames = ReadonlyMap<string, string>

export function toSpeakerNames(stored: StoredSpeakerNames): SpeakerNames {
  return new Map(Object.entries(stored).map(([platformName, { name }]) => [platformName, name]))
}

/** Stores only names that differ from the platform's. */
export function toStoredSpeakerNames(names: SpeakerNames): StoredSpeakerNames {
  return Object.fromEntries(
    [...names]
      .filter(([platformName, name]) => platformName !== name)
      .map(([platformName, name]) => [platformName, { name, words: toSearchVector('', name) }]),
  )
}

/** Returns the name to show for a name of the platform. */
export function findShownName(names: SpeakerNames, platformName: string): string {
  return names.get(platformName) ?? platformName
}

/** The shown names without duplicates. */
export function listShownNames(names: SpeakerNames, platformNames: readonly string[]): string[] {
  return [...new Set(platformNames.map((name) => findShownName(names, name)))]
}

/** Cleans a speaker's name like a name from a platform. Throws if nothing is left. */
export function cleanSpeakerName(raw: string): string {
  const name = cleanParticipantName(raw)
  if (name !== '') return name
  throw new ServiceError('invalid_request', {
    details: [{ path: 'to', message: 'Must be a name that people can read' }],
  })
}

/** The platform names of the speakers who are shown under this name. */
export async function findPlatformNames(
  tx: Tx,
  meetingId: string,
  names: SpeakerNames,
  shownName: string,
): Promise<string[]> {
  const all = await listPlatformNames(tx, meetingId)
  return all
    .filter((name) => formatDisplaySpeaker({ speaker: findShownName(names, name) }) === shownName)
    .toSorted()
}

async function listPlatformNames(tx: Tx, meetingId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(platform_speaker, speaker) as name from segment where meeting_id = ${meetingId}
    union select name from participant where meeting_id = ${meetingId}
    union select author from chat_message where meeting_id = ${meetingId}`.execute(tx)
  return rows.map(({ name }) => name)
}

/** The shown names of everyone who spoke, took part or wrote in the chat. */
export async function listNamesInMeeting(tx: Tx, meetingId: string): Promise<string[]> {
  const { speaker_names: stored } = await tx
    .selectFrom('meeting')
    .select('speaker_names')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  return listShownNames(toSpeakerNames(stored), await listPlatformNames(tx, meetingId))
}

/**
 * Shows the speakers with these platform names under another name, also in new segments of a live meeting. The meeting
 * must be locked.
 */
export async function storeSpeakerName(
  tx: Tx,
  meetingId: string,
  { names, platformNames, to }: { names: SpeakerNames; platformNames: string[]; to: string },
): Promise<void> {
  const changed = new Map(names)
  for (const platformName of platformNames) {
    // The platform's own name is shown unchanged. An unknown speaker has an empty name.
    const isOwn = formatDisplaySpeaker({ speaker: platformName }) === to
    const name = isOwn ? platformName : to
    changed.set(platformName, name)
    await updateSegments(tx, meetingId, platformName, name)
  }
  const stored = JSON.stringify(toStoredSpeakerNames(changed))
  await updateMeeting(tx, meetingId, { speaker_names: stored })
}

/** Keeps the words of the text and replaces the words of the speaker, which have weight B. */
async function updateSegments(
  tx: Tx,
  meetingId: string,
  platformName: string,
  name: string,
): Promise<void> {
  await sql`update segment set speaker = ${name}, platform_speaker = nullif(${platformName}::text, ${name}::text),
      words = ts_filter(words, '{a,c,d}') || ${toSearchVector('', name)}::tsvector
    where meeting_id = ${meetingId} and coalesce(platform_speaker, speaker) = ${platformName}
      and speaker <> ${name}`.execute(tx)
}
