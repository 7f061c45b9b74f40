import { Badge } from '@mantine/core'
import type { ApiAction } from '../../src/http/shapes/meetings/recap.ts'
import { CalendarDay, formatLocalDay, useNowEvery30Seconds } from '../ui/format/time.tsx'

interface DueDateProps {
  action: Pick<ApiAction, 'dueDate' | 'dueText'>
  /** A ticked item is not overdue. */
  isOpen: boolean
}

/** When an action item is due, and whether that day has passed. */
export function DueDate({ action: { dueDate, dueText }, isOpen }: DueDateProps) {
  const today = formatLocalDay(new Date(useNowEvery30Seconds()))
  const isOverdue = isOpen && dueDate !== null && dueDate < today
  return (
    <>
      {dueDate !== null && (
        <span title={dueText === null ? undefined : `Said: “${dueText}”`}>
          Due <CalendarDay day={dueDate} today={today} />
        </span>
      )}
      {dueDate === null && dueText !== null && (
        <span className="break-anywhere">Due “{dueText}”</span>
      )}
      {isOverdue && (
        <Badge variant="outline" className="badge badge-red" size="sm" radius="sm" tt="none">
          Overdue
        </Badge>
      )}
    </>
  )
}
