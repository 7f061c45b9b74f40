import type { Participant, Caption } from '../../bots/platforms/platform.ts'
import { cleanParticipantName, createOwnBotNameCheck } from '../../language/person-names.ts'
import { makePlatformIdStorable } from '../record/platform-ids.ts'
import { hasMoreThanPunctuation } from '../../language/clean-text.ts'

const MAX_PARTICIPANTS = 2_000

export type RosterChange = {
  joined: Participant[]
  left: Participant[]
  count: number
  /** Participants that are not note-taker bots. A meeting with only note-takers is treated as empty. */
  humanCount: number
  humanNames: string[]
}

export type RosterTracker = ReturnType<typeof createRosterTracker>

/** Words that appear in names of note-taker bots but not in names of people. */
const ROLE = /\b(?:note[ -]?taker|notes? bot|recorder|otterpilot)\b/i

/** Product names. Some are also family names, so a longer name that contains one is not enough. */
const PRODUCT = String.raw`(?:otter|fireflies|fathom|tl;?dv|read\.ai|meetgeek|hansard)(?:\.[a-z]{2,3})?`
const HAS_PRODUCT = new RegExp(String.raw`\b${PRODUCT}\b`, 'i')
const IS_PRODUCT = new RegExp(`^${PRODUCT}$`, 'i')
/** Words that mark a name with a product name as a bot. They also match the "ai" in `Otter.ai`. */
const MACHINE = /\b(?:agent|ai|assistant|bot|meeting|notes?|pilot)\b/i

/** Compares participants by id, because two participants can have the same name. */
export function createRosterTracker(presentBefore: readonly Participant[] = []) {
  let present = new Map(presentBefore.map((person) => [person.id, person]))
  return {
    /** Takes all present participants and returns the changes since the previous call. */
    update(people: readonly Participant[]): RosterChange {
      const now = new Map(
        people
          .filter(({ isSelf }) => !isSelf)
          .slice(0, MAX_PARTICIPANTS)
          .map((person) => ({
            ...person,
            id: makePlatformIdStorable(person.id),
            name: cleanParticipantName(person.name),
          }))
          .map((person) => [person.id, person]),
      )
      const joined = [...now.values()].filter(({ id }) => !present.has(id))
      const left = [...present.values()].filter(({ id }) => !now.has(id))
      present = now
      const humans = [...now.values()].filter(({ name }) => !isNoteTakerBotName(name))
      const humanNames = humans.map(({ name }) => name)
      return { joined, left, count: now.size, humanCount: humans.length, humanNames }
    },
  }
}

/**
 * True if a sanitized name belongs to another recording bot: it has a role word, is only a product name, or has a
 * product name and a bot word.
 */
export function isNoteTakerBotName(name: string): boolean {
  return ROLE.test(name) || IS_PRODUCT.test(name) || (HAS_PRODUCT.test(name) && MACHINE.test(name))
}

/** Returns a function that is true if a caption has words that neither this bot nor a note-taker bot said. */
export function createHumanSpeechCheck(botName: string): (caption: Caption) => boolean {
  const isSelf = createOwnBotNameCheck([botName])
  return ({ speaker, text, isOtherParticipant = false }) => {
    const name = cleanParticipantName(speaker)
    const isOwn = isSelf(name) && !isOtherParticipant
    return hasMoreThanPunctuation(text) && !isOwn && !isNoteTakerBotName(name)
  }
}
