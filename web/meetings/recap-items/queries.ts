import { useQueryClient } from '@tanstack/react-query'
import type {
  MeetingsAddRecapItemBody,
  MeetingsUpdateRecapItemBody,
} from '../../../client/index.js'
import { ACTIONS_KEY, RECAP_KEY } from '../../actions/queries.ts'
import { useApi } from '../../api/use-api.tsx'

export const DECISIONS_KEY = 'decisions'

interface RecapItemChanges {
  add(item: MeetingsAddRecapItemBody): Promise<void>
  change(itemId: string, change: MeetingsUpdateRecapItemBody): Promise<void>
  remove(itemId: string): Promise<void>
}

/** Changes what the recap of a meeting says, and shows the new recap. */
export function useRecapItemEditing(meetingId: string): RecapItemChanges {
  const api = useApi()
  const queries = useQueryClient()
  const readAgain = async (...keys: string[][]) => {
    const all = [[RECAP_KEY, meetingId], [DECISIONS_KEY], ...keys]
    await Promise.all(all.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
  return {
    async add(item) {
      await api.meetings.addRecapItem(meetingId, item)
      await readAgain([ACTIONS_KEY])
    },
    async change(itemId, change) {
      await api.meetings.updateRecapItem(meetingId, itemId, change)
      await readAgain()
    },
    async remove(itemId) {
      await api.meetings.removeRecapItem(meetingId, itemId)
      await readAgain()
    },
  }
}
