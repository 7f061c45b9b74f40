import { meetingApiPath } from '../meetings/queries.ts'
import { projectApiPath } from '../projects/document-ref.ts'

/** What a link shows. */
export type SharedSubject = { meetingId: string } | { project: string; path: string }

export function sharesApiPath(subject: SharedSubject): string {
  const owner =
    'meetingId' in subject ? meetingApiPath(subject.meetingId) : projectApiPath(subject.project)
  return `${owner}/shares`
}
