import { NativeSelect, Stack, Text } from '@mantine/core'
import type { ApiPromptPreview } from '../../../src/http/shapes/prompts.ts'
import { useMeetingList } from '../../meetings/queries.ts'
import { formatAbsolute } from '../../ui/format/time-texts.ts'

interface RenderedPreviewProps {
  preview: ApiPromptPreview | undefined
  /** Empty for no meeting. */
  meetingId: string
  onMeeting: (meetingId: string) => void
}

/** The prompt as a model would get it, with a meeting's variables. Nothing is sent to a model. */
export function RenderedPreview({ preview, meetingId, onMeeting }: RenderedPreviewProps) {
  const { data } = useMeetingList({ begun: 'true' })
  const meetings = data?.pages[0]?.meetings ?? []
  return (
    <Stack gap="sm" component="section" aria-labelledby="prompt-preview">
      <Text component="h2" size="sm" fw={650} id="prompt-preview" m={0}>
        Preview
      </Text>
      <NativeSelect
        label="Meeting"
        description="Fills in the variables. Nothing is sent to a language model"
        value={meetingId}
        onChange={(event) => onMeeting(event.currentTarget.value)}
        data={[
          { value: '', label: 'No meeting' },
          ...meetings.map(({ meetingId: value, title, startedAt }) => ({
            value,
            label: `${title}, ${formatAbsolute(startedAt, 'day')}`,
          })),
        ]}
      />
      <PreviewText preview={preview} />
    </Stack>
  )
}

function PreviewText({ preview }: { preview: ApiPromptPreview | undefined }) {
  if (preview === undefined) return <Text size="sm">Preparing the preview…</Text>
  const { rendered, failure } = preview
  if (failure !== null)
    return <Text size="sm">This meeting does not fit the prompt. {failure}</Text>
  if (rendered === null) return <Text size="sm">Fix the problems to see the preview.</Text>
  const isCut = rendered.text.length < rendered.length
  return (
    <>
      <Text size="sm" c="dimmed">
        {rendered.length.toLocaleString('en')} characters, about{' '}
        {rendered.tokens.toLocaleString('en')} tokens{isCut && '. Only the beginning is shown'}
      </Text>
      <pre className="source-box prompt-rendered" tabIndex={0} aria-label="Preview" dir="auto">
        {rendered.text}
      </pre>
    </>
  )
}
