import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import type { ApiStartedMeeting } from '../../src/http/shapes/meetings/start-meeting.ts'
import { WhoMayRead } from '../access/who-may-read.tsx'
import { useApi } from '../api/app-state.tsx'
import { JoinTimeField, readJoinTimeField } from '../meetings/join-time-field.tsx'
import { PLATFORM_LABELS, REAL_PLATFORMS_TEXT } from '../meetings/meeting-labels.ts'
import { useRefreshMeetings, useMeetingLinkOrError } from '../meetings/queries.ts'
import { describeLinkError } from '../meetings/start-meeting-form.tsx'
import { StatusMessage } from '../ui/feedback/feedback.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'
import { Time } from '../ui/format/time.tsx'
import { TextField, Form, readFormText, useAction } from '../ui/forms/form.tsx'
import { useReloadUpcoming } from './queries.ts'

/** Schedules a meeting that is in no calendar. It stays open, so that several can be added. */
export function AddByLinkForm({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<ApiStartedMeeting[]>([])
  const latest = added.at(-1)
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="add-by-link">
      <Stack gap="md">
        <Title order={2} id="add-by-link">
          Add by link and time
        </Title>
        {/* A new React key empties the fields. */}
        <AddForm
          key={added.length}
          onAdded={(meeting) => setAdded([...added, meeting])}
          onClose={onClose}
        />
        <StatusMessage>
          {latest &&
            (latest.joinAt === null ? (
              'Added. Hansard joins now.'
            ) : (
              <>
                Added. Hansard joins on <Time at={latest.joinAt} show="minute" />.
              </>
            ))}
        </StatusMessage>
      </Stack>
    </Card>
  )
}

interface AddFormProps {
  onAdded: (meeting: ApiStartedMeeting) => void
  onClose: () => void
}

function AddForm({ onAdded, onClose }: AddFormProps) {
  const [project, setProject] = useState('')
  const [url, setUrl] = useState('')
  const { link, error } = useMeetingLinkOrError(url)
  const action = useAddMeeting(onAdded)
  return (
    <Form action={action}>
      <Group align="flex-start" gap="md">
        <TextInput
          name="url"
          label="Meeting link"
          description={REAL_PLATFORMS_TEXT}
          placeholder="https://meet.google.com/abc-defg-hij"
          flex="2 1 260px"
          required
          withAsterisk={false}
          value={url}
          error={error ? describeLinkError(error) : null}
          onChange={(event) => setUrl(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <JoinTimeField
          label="Join at"
          description={`In your time zone, ${BROWSER_TIME_ZONE}`}
          isRequired
        />
      </Group>
      <Group align="flex-start" gap="md" grow preventGrowOverflow={false}>
        <TextField name="title" label="Title" maxLength={200} isOptional autoComplete="off" />
        <TextField
          name="project"
          label="Project"
          maxLength={64}
          isOptional
          autoComplete="off"
          onChange={(event) => setProject(event.currentTarget.value)}
        />
      </Group>
      <Text size="sm" role="status" className="break-anywhere">
        {link && `${PLATFORM_LABELS[link.platform]}: ${link.label}`}
      </Text>
      <WhoMayRead project={project} what="the meeting" />
      <Group gap="sm">
        <Button type="submit" loading={action.isRunning}>
          Add meeting
        </Button>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Form>
  )
}

function useAddMeeting(onAdded: (meeting: ApiStartedMeeting) => void) {
  const api = useApi()
  const refreshMeetings = useRefreshMeetings()
  const reload = useReloadUpcoming()
  return useAction(async (values: FormData) => {
    const title = readFormText(values, 'title')
    const project = readFormText(values, 'project')
    const meeting = await api.meetings.start({
      url: readFormText(values, 'url'),
      ...readJoinTimeField(values),
      ...(title && { title }),
      ...(project && { project }),
    })
    await Promise.all([reload(), refreshMeetings()])
    onAdded(meeting)
  })
}
