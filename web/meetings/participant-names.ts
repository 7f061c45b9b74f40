import type { ApiMeetingDetail } from '../../src/http/shapes/meetings/meetings.ts'

/** The names of the people in a meeting, each once, to suggest as owner or speaker. */
export function listParticipantNames({ participants }: Pick<ApiMeetingDetail, 'participants'>) {
  const names = participants.map(({ name }) => name).filter((name) => name !== '')
  return [...new Set(names)].toSorted()
}
