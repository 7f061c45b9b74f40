import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { toSearchVector } from '../../projects/search/words/search-vector.ts'
import { cleanParticipantName } from '../sanitize/person-names.ts'
import { formatDisplaySpeaker } from '../transcript/source.ts'

/**
 * The names that people gave to the speakers of one meeting, by the name that the platform shows, as they are stored.
 * `words` is the search vector of the name, so that SQL can index a segment under it.
 */
export type StoredSpeakerNames = Record<string, { name: string; words: string }>

/** The same names without their words. */
export type SpeakerNames = ReadonlyMap<string, string>

export function toSpeakerNames(stored: StoredSpeakerNames): SpeakerNames {
  return new Map(Object.entries(stored).map(([platformName, { name }]) => [platformName, name]))
}

/** Only names that differ from the platform's are stored. */
export function toStoredSpeakerNames(names: SpeakerNames): StoredSpeakerNames {
  return Object.fromEntries(
    [...names]
      .filter(([platformName, name]) => platformName !== name)
      .map(([platformName, name]) => [platformName, { name, words: toSearchVector('', name) }]),
  )
}

/** The name that is shown for a name of the platform. */
export function findShownName(names: SpeakerNames, platformName: string): string {
  return names.get(platformName) ?? platformName
}

/** The names that are shown, each once. */
export function listShownNames(names: SpeakerNames, platformNames: readonly string[]): string[] {
  return [...new Set(platformNames.map((name) => findShownName(names, name)))]
}

/** The name of a speaker as it is stored: cleaned like a name of a platform. Throws if nothing is left. */
export function cleanSpeakerName(raw: string): string {
  const name = cleanParticipantName(raw)
  if (name !== '') return name
  throw new ServiceError('invalid_request', {
    details: [{ path: 'to', message: 'Must be a name that people can read' }],
  })
}

/** The names of the platform whose speakers are shown under this name. */
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

/** The names of everybody who spoke, took part or wrote in the chat, as they are shown. */
export async function listNamesInMeeting(tx: Tx, meetingId: string): Promise<string[]> {
  const { speaker_names: stored } = await tx
    .selectFrom('meeting')
    .select('speaker_names')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  return listShownNames(toSpeakerNames(stored), await listPlatformNames(tx, meetingId))
}

/**
 * Shows the speakers with these names of the platform under another name, from now on also in new segments of a live
 * meeting. The meeting must be locked.
 */
export async function storeSpeakerName(
  tx: Tx,
  meetingId: string,
  { names, platformNames, to }: { names: SpeakerNames; platformNames: string[]; to: string },
): Promise<void> {
  const changed = new Map(names)
  for (const platformName of platformNames) {
    // The platform's own name is shown as it is. An unknown speaker has an empty name.
    const isOwn = formatDisplaySpeaker({ speaker: platformName }) === to
    const name = isOwn ? platformName : to
    changed.set(platformName, name)
    await updateSegments(tx, meetingId, platformName, name)
  }
  await tx
    .updateTable('meeting')
    .set({ speaker_names: JSON.stringify(toStoredSpeakerNames(changed)) })
    .where('id', '=', meetingId)
    .execute()
}

/** The words of the text stay; those of the speaker have the weight B. */
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
