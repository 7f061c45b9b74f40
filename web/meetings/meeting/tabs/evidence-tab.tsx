import { Image, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WireEvidence } from '../../../../src/http/shapes/evidence.ts'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'
import { meetingApiPath } from '../../queries.ts'
import { QueryView } from '../../../ui/feedback/query-view.tsx'
import { TimeOfDay } from '../../../ui/format/time.tsx'

/** What the bot saw when it could not go on: a picture, and the page in words. */
export function EvidenceTab({ meeting }: { meeting: WireMeetingDetail }) {
  const { meetingId, evidenceCount } = meeting
  const api = useApi()
  const query = useQuery({
    queryKey: ['evidence', meetingId, evidenceCount],
    queryFn: () => api.get<{ evidence: WireEvidence[] }>(`${meetingApiPath(meetingId)}/evidence`),
  })
  if (evidenceCount === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing was kept. When a bot cannot get in or is thrown out, a picture of the page is kept
        here.
      </Text>
    )
  }
  return (
    <QueryView query={query} what="what the bot saw">
      {({ evidence }) => (
        <Stack component="ol" className="plain-list" gap="lg" aria-label="What the bot saw">
          {evidence.map((piece) => (
            <EvidenceItem key={piece.number} piece={piece} />
          ))}
        </Stack>
      )}
    </QueryView>
  )
}

function EvidenceItem({
  piece: { at, state, marks, survey, screenshot },
}: {
  piece: WireEvidence
}) {
  return (
    <Stack component="li" gap="xs">
      <Text size="sm" fw={650} className="break-anywhere">
        <TimeOfDay at={at} /> · taken for “{state}”
      </Text>
      {screenshot !== null && (
        <Image
          src={screenshot}
          alt={`The page of the meeting, titled ${survey.title}`}
          radius="sm"
          className="evidence-picture"
        />
      )}
      <dl className="facts">
        <dt>Page</dt>
        <dd>
          {survey.title} ({survey.address})
        </dd>
        <dt>Headings</dt>
        <dd>{survey.headings.join(' · ') || 'none'}</dd>
        <dt>Buttons</dt>
        <dd>{survey.buttons.join(' · ') || 'none'}</dd>
        <dt>Known by</dt>
        <dd>{marks.join(', ') || 'nothing'}</dd>
      </dl>
    </Stack>
  )
}
