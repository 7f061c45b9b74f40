import { Card, Group, TextInput, Button, Text, Stack, Anchor, Collapse } from '@mantine/core'
import { useState, useRef } from 'react'
import { WhoMayRead } from '../access/who-may-read.tsx'
import { toApiError } from '../api/api-error.ts'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { Form, readFormText, useAction } from '../ui/forms.tsx'
import { ChevronDownIcon, ChevronUpIcon } from '../ui/icons.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { CallbackFields, readCallbackFields } from './callback-fields.tsx'
import { JoinTimeField, readJoinTimeField } from './join-time-field.tsx'
import { readSpeechField, SpeechField } from './speech-field.tsx'
import type { Capture } from '../../src/http/shapes/values.ts'
import { CAPTURE_LABELS } from './official-labels.ts'
import type { StartMeetingInput } from './use-start-meeting.ts'
import { PRACTICE_MEETING_INPUT, useStartMeeting } from './use-start-meeting.ts'
import { useMeetingLinkOrError } from './queries.ts'
import { PLATFORM_LABELS, REAL_PLATFORMS_TEXT } from './meeting-labels.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { SelectField, TextField, toOptions } from '../ui/fields.tsx'

/** Starts a meeting. The pasted link is validated while the user types. */
export function StartMeetingForm() {
  const start = useStartMeeting()
  const [url, setUrl] = useState('')
  const [project, setProject] = useState('')
  const [isExpanded, setExpanded] = useState(false)
  const [isLater, setLater] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { link, error } = useMeetingLinkOrError(url)
  const action = useAction((values: FormData) =>
    start({ url: url.trim(), ...readOptions(values), ...readJoinTimeField(values) }),
  )
  const practice = useAction((values: FormData) =>
    start({ ...PRACTICE_MEETING_INPUT, ...readOptions(values) }),
  )
  useShortcuts({ n: () => field.current?.focus() })
  return (
    <Card withBorder padding="lg" component="section" aria-label="Start a meeting">
      <Form action={action}>
        <Group align="flex-start" gap="sm">
          <TextInput
            ref={field}
            label="Meeting link"
            description={`${REAL_PLATFORMS_TEXT}. Hansard joins as a guest that everyone in the meeting can see.`}
            placeholder="https://meet.google.com/abc-defg-hij"
            flex="1 1 220px"
            miw={0}
            value={url}
            error={error ? describeLinkError(error) : null}
            onChange={(event) => setUrl(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
          />
          <JoinTimeField
            label="Join at"
            description="Leave empty to join now"
            onChange={setLater}
          />
          <Button
            className="align-with-input"
            type="submit"
            loading={action.isRunning}
            disabled={!link}
          >
            {isLater ? 'Schedule' : 'Start'}
          </Button>
        </Group>
        <Group justify="space-between" gap="xs">
          <Text size="sm" role="status" className="break-anywhere">
            {link ? (
              describeLink(link)
            ) : (
              <>
                No meeting link?{' '}
                <Anchor
                  component="button"
                  type="button"
                  disabled={practice.isRunning}
                  onClick={({ currentTarget: { form } }) =>
                    void practice.run(new FormData(form ?? undefined))
                  }
                >
                  Start a practice meeting
                </Anchor>
              </>
            )}
          </Text>
          <Button
            variant="subtle"
            size="xs"
            mx={-10}
            rightSection={isExpanded ? <ChevronUpIcon /> : <ChevronDownIcon />}
            aria-expanded={isExpanded}
            onClick={() => {
              // The fields are empty when they are shown again.
              setProject('')
              setExpanded((expanded) => !expanded)
            }}
          >
            {isExpanded ? 'Fewer options' : 'More options'}
          </Button>
        </Group>
        <WhoMayRead project={isExpanded ? project : ''} what="the meeting" />
        <Collapse expanded={isExpanded} transitionDuration={0}>
          {isExpanded && (
            <Stack gap="md">
              <TitleAndProjectFields onProjectChange={setProject} />
              <SpeechField />
              <SelectField
                name="capture"
                label="Transcript"
                description="Official transcripts of Microsoft Teams and Google Meet need a connection of your organization."
                data={toOptions(CAPTURE_LABELS)}
              />
              <CallbackFields />
            </Stack>
          )}
        </Collapse>
        <ErrorBox error={practice.error} />
      </Form>
    </Card>
  )
}

/** The user's choices under “More options”. */
function readOptions(values: FormData): Omit<StartMeetingInput, 'url'> {
  const title = readFormText(values, 'title')
  const project = readFormText(values, 'project')
  const capture = readFormText(values, 'capture') as Capture | ''
  return {
    ...(title && { title }),
    ...(project && { project }),
    ...readSpeechField(values),
    ...(capture && capture !== 'bot' && { capture }),
    ...readCallbackFields(values),
  }
}

function TitleAndProjectFields({
  onProjectChange,
}: {
  onProjectChange: (project: string) => void
}) {
  return (
    <Group grow align="flex-start">
      <TextField
        name="title"
        label="Title"
        description="Used in the meeting list and the file name"
        maxLength={200}
        isOptional
        autoComplete="on"
      />
      <TextField
        name="project"
        label="Project"
        description="Where the transcript is saved. Default: api"
        maxLength={64}
        isOptional
        onChange={(event) => onProjectChange(event.currentTarget.value)}
        autoComplete="on"
      />
    </Group>
  )
}

type CheckedLink = NonNullable<ReturnType<typeof useMeetingLinkOrError>['link']>

function describeLink({ platform, label, others }: CheckedLink): string {
  const bots = formatCountWithNoun(others.length, 'bot')
  const warning = `. ${bots} already in this meeting. Another bot would create a second transcript.`
  return `${PLATFORM_LABELS[platform]}: ${label}${others.length > 0 ? warning : ''}`
}

/** Why the API rejected the meeting link: the field's error, or the general error message with its hint. */
export function describeLinkError(error: unknown): string {
  const { message, details, hint } = toApiError(error)
  return `${details[0]?.message ?? message}.${hint && !details[0] ? ` ${hint}` : ''}`
}
