import { Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ApiRecording } from '../../../src/http/shapes/meetings/recordings.ts'
import { useApi, useReload } from '../../api/use-api.tsx'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { formatSecondsAsClock } from '../../ui/format/format-text.ts'
import { Section } from '../../ui/layout.tsx'
import { Name } from '../../ui/links.tsx'
import { Hint } from '../../ui/text.tsx'

/** How often the progress is read while a recording is not over. */
const POLL_MS = 3_000
const STATE_TEXTS: Readonly<Record<ApiRecording['state'], string>> = {
  uploading: 'Being sent',
  waiting: 'Waiting',
  processing: 'Recognizing speech',
  imported: 'Imported',
  failed: 'Not imported',
}

const isOpen = ({ state }: ApiRecording) =>
  state === 'uploading' || state === 'waiting' || state === 'processing'

/** The recordings that are not meetings yet, each with its progress. */
export function Recordings() {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['recordings'],
    queryFn: () => api.recordings.list(),
    refetchInterval: ({ state }) =>
      state.data?.recordings.some(isOpen) === true ? POLL_MS : false,
  })
  const shown = (data?.recordings ?? []).filter(({ state }) => state !== 'imported')
  useReloadAfterImport(data?.recordings.filter(({ state }) => state === 'imported').length)
  if (shown.length === 0) return null
  return (
    <Section id="recordings" title="Recordings">
      <Stack component="ul" gap="sm" className="plain-list">
        {shown.map((recording) => (
          <RecordingCard key={recording.recordingId} recording={recording} />
        ))}
      </Stack>
    </Section>
  )
}

/** Shows the meeting of a recording as soon as there is one. */
function useReloadAfterImport(imported: number | undefined): void {
  const reload = useReload('meetings')
  const before = useRef(imported)
  useEffect(() => {
    if (before.current !== undefined && imported !== undefined && imported > before.current)
      void reload()
    before.current = imported
  })
}

function RecordingCard({ recording }: { recording: ApiRecording }) {
  const [isAsking, setAsking] = useState(false)
  const { recordingId, state, fileName, title, project, percent, detail } = recording
  const name = title ?? fileName
  const isFailed = state === 'failed'
  return (
    <Card component="li" withBorder padding="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text fw={600} size="sm" className="break-anywhere">
          <Name>{name}</Name>
        </Text>
        <Button
          variant="default"
          size="xs"
          flex="none"
          aria-label={`${isFailed ? 'Remove' : 'Cancel'} ${name}`}
          onClick={() => setAsking(true)}
        >
          {isFailed ? 'Remove' : 'Cancel'}
        </Button>
      </Group>
      <Hint>
        {STATE_TEXTS[state]} · {project}
        {!isFailed && <RecordingPosition recording={recording} />}
      </Hint>
      {!isFailed && <Progress value={percent ?? 0} aria-label={`${name} recognized`} mt={8} />}
      {detail !== null && (
        <Text size="sm" {...(isFailed && { c: 'var(--mantine-color-error)' })}>
          {detail}
        </Text>
      )}
      {isAsking && (
        <ConfirmDialog
          title={isFailed ? 'Remove the recording' : 'Cancel the recording'}
          confirmLabel={isFailed ? 'Remove' : 'Cancel the recording'}
          dismissLabel="Keep"
          reloads={['recordings']}
          onConfirm={(api) => api.recordings.remove(recordingId)}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">
            {isFailed
              ? 'It is no longer listed. Its sound is already deleted.'
              : 'Its sound and what was recognized so far are deleted. To import it, send it again.'}
          </Text>
        </ConfirmDialog>
      )}
    </Card>
  )
}

function RecordingPosition({ recording }: { recording: ApiRecording }) {
  const { state, positionSeconds, durationSeconds, percent, partsReceived, parts } = recording
  if (state === 'uploading') return <> · {Math.floor((100 * partsReceived) / parts)} % sent</>
  if (durationSeconds === null) return null
  return (
    <span className="figures">
      {' '}
      · {formatSecondsAsClock(positionSeconds)} of {formatSecondsAsClock(durationSeconds)}
      {percent !== null && ` · ${percent} %`}
    </span>
  )
}
