/** An occurrence that may be joined, as the choice among those in one room sees it. */
export type RoomCandidate = {
  id: string
  startsAt: Date
  endsAt: Date
  /** Whether a bot attends it or has attended it. */
  hasBot: boolean
}

/**
 * Which of the occurrences in one room of one project a bot joins: of those that overlap only one, because one bot is
 * enough for the readers of a project. One with a bot stays, also after
 * the bot was stopped: otherwise another invitation would bring it back. Otherwise the oldest invitation counts.
 */
export function chooseAttended(candidates: readonly RoomCandidate[]): ReadonlySet<string> {
  const ordered = candidates.toSorted(
    (a, b) => Number(b.hasBot) - Number(a.hasBot) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
  const chosen: RoomCandidate[] = []
  for (const candidate of ordered) {
    if (!chosen.some((other) => overlaps(candidate, other))) chosen.push(candidate)
  }
  return new Set(chosen.map(({ id }) => id))
}

function overlaps(a: RoomCandidate, b: RoomCandidate): boolean {
  return a.startsAt < b.endsAt && b.startsAt < a.endsAt
}
