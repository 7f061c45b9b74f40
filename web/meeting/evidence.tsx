import { Image, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WireEvidence } from '../../src/http/shapes/evidence.ts'
import type { WireMeetingDetail } from '../../src/http/shapes/meetings.ts'
import { useApi } from '../app-state.tsx'
import { pathOf } from '../meetings/queries.ts'
import { Loaded } from '../ui/loaded.tsx'
import { ShortTime } from '../ui/time.tsx'

/** What the bot saw when it could not go on: a picture, and the page in words. */
export function EvidenceList({ meeting }: { meeting: WireMeetingDetail }) {
  const { meetingId, evidenceCount } = meeting
  const api = useApi()
  const query = useQuery({
    queryKey: ['evidence', meetingId, evidenceCount],
    queryFn: () => api.get<{ evidence: WireEvidence[] }>(`${pathOf(meetingId)}/evidence`),
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
    <Loaded query={query} what="what the bot saw">
      {({ evidence }) => (
        <Stack component="ol" className="plain-list" gap="lg" aria-label="What the bot saw">
          {evidence.map((piece) => (
            <Piece key={piece.number} piece={piece} />
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

function Piece({ piece: { at, state, marks, survey, screenshot } }: { piece: WireEvidence }) {
  return (
    <Stack component="li" gap="xs">
      <Text size="sm" fw={650} className="break-anywhere">
        <ShortTime at={at} /> · taken for “{state}”
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
