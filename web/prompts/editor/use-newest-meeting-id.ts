import { useMeetingList } from '../../meetings/queries.ts'

/** The newest meeting that has begun. Empty if there is none or it is not loaded yet. */
export function useNewestMeetingId(): string {
  const { data } = useMeetingList({ begun: 'true' })
  return data?.pages[0]?.meetings[0]?.meetingId ?? ''
}
