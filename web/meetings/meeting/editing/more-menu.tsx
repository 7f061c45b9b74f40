import { Anchor, Button, Menu } from '@mantine/core'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useProjectRights } from '../../../access/queries.ts'
import { isActiveStatus } from '../../meeting-labels.ts'
import { useOpenEditDialog } from './edit-dialogs.tsx'

/** Further actions for a meeting. */
export function MoreMenu({ meeting }: { meeting: ApiMeetingDetail }) {
  const open = useOpenEditDialog()
  const { canEdit, canMoveOut } = useProjectRights(meeting.project)
  if (open === null) return null
  const isScheduled = meeting.status === 'scheduled'
  const isOver = !isScheduled && !isActiveStatus(meeting.status)
  const hasSpeakers = meeting.talkTime.length > 0
  const canBeMoved = isScheduled || isOver
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button variant="default" size="sm">
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {canEdit && <Menu.Item onClick={() => open({ kind: 'title' })}>Rename…</Menu.Item>}
        {canEdit && meeting.platform === 'imported' && (
          <Menu.Item onClick={() => open({ kind: 'start' })}>Change date…</Menu.Item>
        )}
        {canEdit && hasSpeakers && (
          <Menu.Item onClick={() => open({ kind: 'speaker' })}>Rename a speaker…</Menu.Item>
        )}
        {canMoveOut && canBeMoved && (
          <Menu.Item onClick={() => open({ kind: 'move' })}>Move to a project…</Menu.Item>
        )}
        <Menu.Item onClick={() => open({ kind: 'history' })}>History</Menu.Item>
        {canEdit && isOver && (
          <>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => open({ kind: 'delete' })}>
              Delete…
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Says that people changed the meeting, and links to their changes. */
export function EditedMark({ meeting }: { meeting: ApiMeetingDetail }) {
  const open = useOpenEditDialog()
  if (open === null || meeting.editCount === 0) return null
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => open({ kind: 'history' })}>
      Edited
    </Anchor>
  )
}
