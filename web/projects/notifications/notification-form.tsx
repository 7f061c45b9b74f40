import { NativeSelect, Stack, Checkbox, Text, Input, Code } from '@mantine/core'
import { useState } from 'react'
import type { ApiNotification } from '../../../src/http/shapes/notifications.ts'
import type { NotificationFormat, NotificationTopic } from '../../../src/http/shapes/values.ts'
import { NOTIFICATION_FORMATS, NOTIFICATION_TOPICS } from '../../../src/http/shapes/values.ts'
import { useApi } from '../../api/use-api.tsx'
import { FormDialog } from '../../ui/dialogs.tsx'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { readFormText, useAction, ActionButton } from '../../ui/forms.tsx'
import type { ApiClient } from '../../api/client.ts'
import { TextField, toOptions } from '../../ui/fields.tsx'

interface NotificationFormProps {
  project: string
  /** Null to add one. */
  notification: ApiNotification | null
  onClose: () => void
  onSaved: () => void
}

const DEFAULT_TOPICS: readonly NotificationTopic[] = ['recaps', 'decisions', 'actions']

export function NotificationForm(props: NotificationFormProps) {
  const { project, notification, onClose, onSaved } = props
  const [format, setFormat] = useState<NotificationFormat>(notification?.format ?? 'slack')
  const [topics, setTopics] = useState(notification?.topics ?? DEFAULT_TOPICS)
  const submit = async (api: ApiClient, values: FormData) => {
    const url = readFormText(values, 'url')
    const fields = { name: readFormText(values, 'name'), format, topics: [...topics] }
    await (notification === null
      ? api.projects.addNotification(project, { ...fields, url })
      : api.projects.updateNotification(project, notification.id, {
          ...fields,
          ...(url !== '' && { url }),
        }))
  }
  return (
    <FormDialog
      title={notification === null ? 'Add notification' : `Edit ${notification.name}`}
      submitLabel={notification === null ? 'Add' : 'Save'}
      isDisabled={topics.length === 0}
      onSubmit={submit}
      reloads={['projects']}
      onClose={onClose}
      onSaved={onSaved}
    >
      <TextField
        name="name"
        label="Name"
        description="For this page, such as the name of the channel"
        defaultValue={notification?.name ?? ''}
        maxLength={100}
        hasAutofocus
      />
      <NativeSelect
        label="Chat"
        value={format}
        onChange={(event) => setFormat(event.currentTarget.value as NotificationFormat)}
        data={toOptions(FORMAT_LABELS, NOTIFICATION_FORMATS)}
      />
      <TextField
        name="url"
        label="Address of the webhook"
        description={
          notification === null
            ? 'It is stored encrypted and never shown again.'
            : `Leave empty to keep the current one at ${notification.host}.`
        }
        maxLength={2_048}
        isOptional={notification !== null}
      />
      <TopicFields topics={topics} onChange={setTopics} />
      <Preview project={project} format={format} topics={topics} />
    </FormDialog>
  )
}

interface TopicFieldsProps {
  topics: readonly NotificationTopic[]
  onChange: (topics: NotificationTopic[]) => void
}

function TopicFields({ topics, onChange }: TopicFieldsProps) {
  const toggle = (topic: NotificationTopic) =>
    onChange(NOTIFICATION_TOPICS.filter((one) => topics.includes(one) !== (one === topic)))
  return (
    <Input.Wrapper
      label="Topics"
      labelElement="div"
      error={topics.length === 0 ? 'Choose at least one topic.' : undefined}
    >
      <Stack gap={6} role="group" aria-label="Topics">
        {NOTIFICATION_TOPICS.map((topic) => (
          <Checkbox
            key={topic}
            label={TOPIC_LABELS[topic]}
            checked={topics.includes(topic)}
            onChange={() => toggle(topic)}
          />
        ))}
      </Stack>
    </Input.Wrapper>
  )
}

interface PreviewProps {
  project: string
  format: NotificationFormat
  topics: readonly NotificationTopic[]
}

/** A sample of what the chat gets, for the current choices. */
function Preview({ project, format, topics }: PreviewProps) {
  const api = useApi()
  const [shown, setShown] = useState<{ text: string; body: string } | null>(null)
  const action = useAction(async () => {
    setShown(await api.projects.previewNotification(project, { format, topics: [...topics] }))
  })
  return (
    <Stack gap="xs" align="flex-start">
      <ActionButton variant="default" size="xs" disabled={topics.length === 0} action={action}>
        Preview
      </ActionButton>
      <ErrorBox error={action.error} />
      {shown !== null && (
        <Stack gap="xs" w="100%" role="region" aria-label="Preview">
          <Text size="sm" style={{ whiteSpace: 'pre-line' }} className="break-anywhere">
            {shown.text}
          </Text>
          <details>
            <summary>JSON of the request</summary>
            <Code block mah={280} style={{ overflow: 'auto' }}>
              {shown.body}
            </Code>
          </details>
        </Stack>
      )}
    </Stack>
  )
}

export const FORMAT_LABELS: Record<NotificationFormat, string> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  mattermost: 'Mattermost',
}

export const TOPIC_LABELS: Record<NotificationTopic, string> = {
  recaps: 'Recaps',
  decisions: 'Decisions',
  actions: 'Action items',
  failures: 'Failed meetings and tasks',
}
