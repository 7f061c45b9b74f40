import { Button, Group, Stack, Text } from '@mantine/core'
import type { ApiConnection, ApiConnectionTranscripts } from '../../src/http/shapes/connections.ts'
import type { TranscriptState } from '../../src/http/shapes/values.ts'
import { useConnectionTranscripts } from './queries.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { TextLink } from '../ui/links.tsx'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'

type Transcript = ApiConnectionTranscripts['transcripts'][number]

const STATE_LABELS: Record<TranscriptState, string> = {
  waiting: 'Waiting',
  imported: 'Read',
  excluded: 'Excluded',
  expired: 'Expired',
  failed: 'Failed',
}

const COLUMNS: [Column<Transcript>, ...Column<Transcript>[]] = [
  {
    header: 'Began',
    cell: ({ beganAt, meetingId }) =>
      meetingId === null ? (
        <Time at={beganAt} show="minute" />
      ) : (
        <TextLink to="/meetings/$meetingId" params={{ meetingId }}>
          <Time at={beganAt} show="minute" />
        </TextLink>
      ),
  },
  { header: 'Organizer', cell: ({ organizer }) => <bdi>{organizer}</bdi> },
  { header: 'State', cell: ({ state }) => STATE_LABELS[state], isShort: true },
  {
    header: 'Reason',
    cell: ({ problem, changedAt }) => (
      <Text size="sm" className="break-anywhere">
        {problem?.text ?? (changedAt === null ? '' : 'Changed in Teams after it was read')}
      </Text>
    ),
  },
]

interface TranscriptsDialogProps {
  connection: ApiConnection
  onClose: () => void
}

/** The newest transcripts of a connection. Titles are missing, because not every admin may read the meetings. */
export function TranscriptsDialog({ connection: { id, name }, onClose }: TranscriptsDialogProps) {
  const query = useConnectionTranscripts(id)
  return (
    <Dialog title={`Transcripts of ${name}`} size="lg" onClose={onClose}>
      <Stack gap="md">
        <QueryView query={query} label="the transcripts">
          {({ transcripts, nextCursor }) =>
            transcripts.length === 0 ? (
              <Text>No transcripts were found yet.</Text>
            ) : (
              <Stack gap="sm">
                <DataTable
                  caption={`Transcripts of ${name}`}
                  rows={transcripts}
                  columns={COLUMNS}
                  hasShortNames
                />
                {nextCursor !== null && (
                  <Text size="sm">
                    These are the newest {transcripts.length}. The API has the others.
                  </Text>
                )}
              </Stack>
            )
          }
        </QueryView>
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
