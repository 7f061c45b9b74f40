import type { Participant } from '../../bots/platforms/platform.ts'
import { cleanName } from '../sanitize/person-names.ts'
import { cleanId } from '../sanitize/platform-ids.ts'
import { isNoteTaker } from './note-takers.ts'

const MAX_PARTICIPANTS = 2_000

export type RosterChange = {
  joined: Participant[]
  left: Participant[]
  count: number
  /** Without other note-takers, who are no company: a meeting in which only they are left is empty. */
  humanCount: number
  /** Of the humans. */
  humanNames: string[]
}

export interface Roster {
  /** Everybody who is there now; answers what is new since the last time. */
  update(people: readonly Participant[]): RosterChange
}

/** Differences between what was seen and what is seen. People are told apart by id, never by name. */
export function createRoster(before: readonly Participant[] = []): Roster {
  let present = new Map(before.map((person) => [person.id, person]))
  return {
    update(people) {
      const now = new Map(
        people
          .filter(({ isSelf }) => !isSelf)
          .slice(0, MAX_PARTICIPANTS)
          .map((person) => ({ ...person, id: cleanId(person.id), name: cleanName(person.name) }))
          .map((person) => [person.id, person]),
      )
      const joined = [...now.values()].filter(({ id }) => !present.has(id))
      const left = [...present.values()].filter(({ id }) => !now.has(id))
      present = now
      const humans = [...now.values()].filter(({ name }) => !isNoteTaker(name))
      const names = humans.map(({ name }) => name)
      return { joined, left, count: now.size, humanCount: humans.length, humanNames: names }
    },
  }
}
