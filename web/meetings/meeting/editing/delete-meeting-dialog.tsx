import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Stack, Text, Group, Button, List } from '@mantine/core'
import { useState } from 'react'
import type { MeetingsRemoveAnswer, RemovedCounts } from '../../../../client/index.js'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useApi, useReload } from '../../../api/use-api.tsx'
import { Dialog } from '../../../ui/dialogs.tsx'
import { ErrorBox } from '../../../ui/feedback/feedback.tsx'
import { formatCountWithNoun } from '../../../ui/format/format-text.ts'
import { useAction, ActionButton } from '../../../ui/forms.tsx'
import { Hint } from '../../../ui/text.tsx'

interface DeleteMeetingDialogProps {
  meeting: ApiMeetingDetail
  onClose: () => void
}

/** Deletes a meeting after saying what is deleted with it, then shows what was deleted. */
export function DeleteMeetingDialog({ meeting, onClose }: DeleteMeetingDialogProps) {
  const api = useApi()
  const [report, setReport] = useState<MeetingsRemoveAnswer | null>(null)
  const action = useAction(async () => {
    setReport(await api.meetings.remove(meeting.meetingId))
  })
  if (report !== null) return <RemovalReportDialog meeting={meeting} report={report} />
  return (
    <Dialog title={`Delete “${meeting.title}”?`} onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm">This deletes for everyone, and cannot be undone:</Text>
        <List size="sm">
          {listLosses(meeting).map((loss) => (
            <List.Item key={loss}>{loss}</List.Item>
          ))}
        </List>
        <Hint>
          What callbacks have already sent to other systems stays there. Results of tasks about the
          meeting stay as documents.
        </Hint>
        <ErrorBox error={action.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <ActionButton color="red.9" action={action}>
            Delete meeting
          </ActionButton>
        </Group>
      </Stack>
    </Dialog>
  )
}

function listLosses({ segmentCount, documentPath, storesChat }: ApiMeetingDetail): string[] {
  return [
    `The transcript with ${formatCountWithNoun(segmentCount, 'line')}, and its comments and bookmarks`,
    'The recap with its action items, and all insights',
    ...(documentPath === null ? [] : [`The document ${documentPath.split('/').at(-1)}`]),
    ...(storesChat ? ['The messages of the meeting chat'] : []),
    'The list of participants, events, callbacks and screenshots',
    'Links that people shared',
  ]
}

interface RemovalReportDialogProps {
  meeting: ApiMeetingDetail
  report: MeetingsRemoveAnswer
}

function RemovalReportDialog({ meeting, report }: RemovalReportDialogProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const refresh = useReload('meetings', 'meeting')
  const leave = async () => {
    // Leaves the page first, because it would request the deleted meeting.
    await navigate({ to: '/meetings' })
    queries.removeQueries({ queryKey: ['meeting', meeting.meetingId] })
    await refresh()
  }
  return (
    <Dialog title="Meeting deleted" onClose={() => void leave()}>
      <Stack gap="sm">
        <Text size="sm">“{meeting.title}” is gone. Deleted with it:</Text>
        <List size="sm">
          {listRemoved(report.removed).map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
        <Group justify="flex-end">
          <Button data-autofocus onClick={() => void leave()}>
            Back to meetings
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Labels of a deleted meeting's data, by count in the report: the singular, and the plural if it is irregular. */
const REMOVED_LABELS: Record<keyof RemovedCounts, [one: string, many?: string]> = {
  segments: ['line of the transcript', 'lines of the transcript'],
  documents: ['document'],
  recaps: ['recap'],
  actions: ['action item'],
  recapItems: ['corrected statement of the recap', 'corrected statements of the recap'],
  insights: ['insight'],
  comments: ['comment'],
  chatMessages: ['chat message'],
  participants: ['participant'],
  events: ['event'],
  deliveries: ['callback attempt'],
  evidence: ['screenshot'],
  edits: ['change in the history', 'changes in the history'],
  setAsideSegments: ['line that was not used', 'lines that were not used'],
}

/** The lines of the report about a deleted meeting, without counts of zero. */
function listRemoved(counts: RemovedCounts): string[] {
  return Object.entries(REMOVED_LABELS).flatMap(([name, [one, many]]) => {
    const count = counts[name as keyof RemovedCounts]
    return count === 0 ? [] : [formatCountWithNoun(count, one, many)]
  })
}
