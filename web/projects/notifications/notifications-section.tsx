import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useProjectRights } from '../../access/queries.ts'
import { isNotFoundError } from '../../api/api-error.ts'
import { useApi } from '../../api/app-state.tsx'
import { QueryView, StatusMessage } from '../../ui/feedback/feedback.tsx'
import { NotificationCard } from './notification-card.tsx'
import { NotificationForm } from './notification-form.tsx'

/** Deliveries of messages are not in the event stream, so the page polls them. */
const REFRESH_MS = 5_000

/** The chats to which a project posts. Only editors see them. */
export function NotificationsSection({ project }: { project: string }) {
  const { canEdit } = useProjectRights(project)
  return canEdit ? <Notifications project={project} /> : null
}

function Notifications({ project }: { project: string }) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['projects', 'notifications', project],
    queryFn: () => api.projects.notifications(project),
    refetchInterval: REFRESH_MS,
  })
  const [isAdding, setAdding] = useState(false)
  const [note, setNote] = useState('')
  // The list of transcripts already says that there is no such project.
  if (isNotFoundError(query.error)) return null
  return (
    <Stack gap="sm" component="section" aria-labelledby="project-notifications">
      <Group justify="space-between" gap="sm">
        <Title order={2} id="project-notifications">
          Notifications
        </Title>
        <Button variant="default" size="xs" onClick={() => setAdding(true)}>
          Add notification
        </Button>
      </Group>
      <StatusMessage>{note}</StatusMessage>
      <QueryView query={query} label="the notifications">
        {({ notifications }) =>
          notifications.length === 0 ? (
            <Text size="sm" c="dimmed">
              Post recaps, action items and failures to a channel of Slack, Microsoft Teams or
              Mattermost.
            </Text>
          ) : (
            <Stack component="ul" gap="sm" className="plain-list" aria-label="Notifications">
              {notifications.map((notification) => (
                <NotificationCard key={notification.id} notification={notification} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      {isAdding && (
        <NotificationForm
          project={project}
          notification={null}
          onClose={() => setAdding(false)}
          onSaved={() => setNote('Added. Send a test to see whether messages arrive.')}
        />
      )}
    </Stack>
  )
}
