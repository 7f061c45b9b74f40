import type { Participant } from '../../../bots/platforms/platform.ts'
import { cleanParticipantName } from '../../sanitize/person-names.ts'
import { makePlatformIdStorable } from '../../sanitize/platform-ids.ts'
import { isNoteTakerBotName } from './note-takers.ts'

const MAX_PARTICIPANTS = 2_000

export type RosterChange = {
  joined: Participant[]
  left: Participant[]
  count: number
  /** Participants that are not note-taker bots. A meeting with only note-takers counts as empty. */
  humanCount: number
  humanNames: string[]
}

export interface RosterTracker {
  /** Takes all participants present now and returns the changes since the previous call. */
  update(people: readonly Participant[]): RosterChange
}

/** Compares participants by id, because two participants can have the same name. */
export function createRosterTracker(presentBefore: readonly Participant[] = []): RosterTracker {
  let present = new Map(presentBefore.map((person) => [person.id, person]))
  return {
    update(people) {
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
